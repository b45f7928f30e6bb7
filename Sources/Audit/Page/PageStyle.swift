/// The look of the page: light or dark as the reader's system is, narrow screens and paper.
enum PageStyle {
  static let css: StaticString = """
    :root{color-scheme:light dark;--ink:#1d2430;--dim:#5b6676;--paper:#fbfbfd;--card:#fff;\
    --line:#dce1e8;--insert:#2f7d4f;--update:#2b66b1;--delete:#b0552b;--unreadable:#777;\
    --error:#b3261e;--warning:#8a5a00;--note:#4c5a6b}
    @media (prefers-color-scheme:dark){:root{--ink:#e7ebf1;--dim:#a3adba;--paper:#14181e;\
    --card:#1c222a;--line:#343d49;--insert:#5fc188;--update:#7db0f5;--delete:#ec9566;\
    --unreadable:#aaa;--error:#ff8a80;--warning:#f2bd5c;--note:#a9b7c8}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--paper);color:var(--ink);\
    font:16px/1.5 system-ui,sans-serif}
    h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .25rem;\
    overflow-wrap:anywhere}h3{font-size:1.05rem;margin:1.75rem 0 .5rem}
    small,.dim{color:var(--dim);font-weight:400}.lead{font-size:1.1rem}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem}
    .card,.finding{background:var(--card);border:1px solid var(--line);border-radius:.5rem;\
    padding:.75rem 1rem}.card h3{margin-top:0}
    .finding{margin:.5rem 0;border-left-width:.4rem;overflow-wrap:anywhere}
    .finding.error{border-left-color:var(--error)}.finding.warning{border-left-color:var(--warning)}
    .finding.note{border-left-color:var(--note)}.finding h4{margin:0}.finding p{margin:.35rem 0}
    .error b{color:var(--error)}.warning b{color:var(--warning)}.note b{color:var(--note)}
    svg{display:block;width:100%;height:auto}svg text{fill:var(--ink);font-size:13px}
    svg .dim{fill:var(--dim)}svg line{stroke:var(--line);stroke-width:2}
    .insert{fill:var(--insert)}.update{fill:var(--update)}.delete{fill:var(--delete)}
    .unreadable{fill:var(--unreadable)}.failure{fill:var(--error)}.time{fill:var(--update)}
    .wide{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
    table{border-collapse:collapse;width:100%;font-size:.9rem}
    th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;\
    border-bottom:1px solid var(--line)}td{overflow-wrap:break-word;max-width:22rem}
    dl{margin:0}dd{margin:0 0 0 1rem}
    td.n{text-align:right;font-variant-numeric:tabular-nums}
    th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid var(--update)}
    pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0;font-size:.85rem}
    input{font:inherit;width:100%;max-width:24rem;margin:.25rem 0;padding:.3rem .6rem;\
    border:1px solid var(--line);border-radius:.4rem;background:var(--card);color:var(--ink)}
    summary{cursor:pointer}a{color:var(--update)}
    .glance{list-style:none;margin:.5rem 0 1rem;padding:0}.glance li{margin:.15rem 0}
    th{white-space:nowrap}th[aria-sort] button{font-weight:800}
    th[aria-sort=ascending] button::after{content:" \\25B2"}
    th[aria-sort=descending] button::after{content:" \\25BC"}
    td.time{white-space:nowrap}.overview td:nth-child(2){min-width:14rem}
    @media (max-width:40rem){.overview thead{display:none}.overview tr{display:block;\
    padding:.5rem .6rem;border-bottom:1px solid var(--line)}.overview td{display:block;border:0;\
    padding:0;max-width:none;overflow-wrap:anywhere}.overview tr[hidden]{display:none}\
    .overview td.n{display:inline-block;margin-right:.75rem;color:var(--dim)}\
    .overview td.n::after{content:" " attr(data-word)}}
    @media print{:root{color-scheme:light;--ink:#000;--dim:#444;--paper:#fff;--card:#fff;\
    --line:#bbb;--error:#b3261e;--warning:#8a5a00;--note:#4c5a6b;--insert:#2f7d4f;\
    --update:#2b66b1;--delete:#b0552b}body{max-width:none}input{display:none}\
    *{print-color-adjust:exact}details::details-content{content-visibility:visible;\
    block-size:auto}td{max-width:none}table{font-size:.75rem}\
    .wide{overflow:visible}.card,.finding,tr{break-inside:avoid}}
    """
}
