/// The look of the page: light or dark as the reader's system is, narrow screens and paper.
///
/// Colour never tells anything alone: bars differ in lightness and outline, marks have words.
enum PageStyle {
  static let css: StaticString = #"""
    :root{color-scheme:light dark;--ink:#1b222d;--dim:#556070;--paper:#f7f8fa;--card:#fff;
    --line:#d6dce4;--link:#1f5aa8;--error:#b3261e;--warning:#7d5200;--note:#4a5868;
    --decide:#7d5200;--lost:#b3261e;--ready:#256b43;--settled:#556070;--mark:#fff1cc;
    --dark:#2b3a50;--middle:#93a5bd;--whole:#e6eaf0}
    @media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--dim:#a5afbc;--paper:#12161c;
    --card:#1a2028;--line:#36404d;--link:#8bb8f5;--error:#ff9389;--warning:#f0c069;--note:#b3bfcd;
    --decide:#f0c069;--lost:#ff9389;--ready:#74cf98;--settled:#a5afbc;--mark:#4a3a10;
    --dark:#d5e0ee;--middle:#6f829b;--whole:#2a323d}}
    *{box-sizing:border-box}
    [hidden]{display:none!important}
    body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);
    font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
    a{color:var(--link)}
    :focus-visible{outline:3px solid var(--link);outline-offset:2px}
    main:focus,h2:focus{outline:none}
    .skip{position:absolute;left:-100rem}
    .skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--card);z-index:1}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
    white-space:nowrap;margin:0;padding:0}
    .kicker{margin:0;color:var(--dim);font-size:.875rem;letter-spacing:.03em}
    h1{font-size:1.75rem;line-height:1.2;margin:.1rem 0}
    h2{font-size:1.3rem;margin:2.2rem 0 .4rem;line-height:1.25}
    h3{font-size:1.05rem;margin:1.6rem 0 .4rem;line-height:1.3}
    h4{font-size:1rem;margin:1.2rem 0 .3rem;line-height:1.3}
    h2 small,h3 small,h4 small{color:var(--dim);font-weight:400;margin-left:.25rem}
    p{margin:.4rem 0}
    .dim,.hint,small,i{color:var(--dim)}
    .hint{max-width:52rem}
    .hint code{white-space:nowrap}
    .lead{font-size:1.15rem;max-width:52rem}
    code{font:.875em ui-monospace,monospace;unicode-bidi:isolate}
    td,th,dd,li{unicode-bidi:isolate}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:.6rem 0;margin:.5rem 0;
    border-block:1px solid var(--line)}
    nav b{color:var(--dim)}
    .numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;
    margin:1rem 0}
    .number{margin:0;padding:.6rem .9rem;background:var(--card);border:1px solid var(--line);
    border-top:4px solid var(--settled);border-radius:.4rem;line-height:1.3}
    .number b{display:block;font-size:1.9rem;line-height:1.2}
    .number.decide{border-top-color:var(--decide)}
    .number.lost,.number.unread{border-top-color:var(--lost)}
    .number.ready{border-top-color:var(--ready)}
    .glance{list-style:none;padding:0;margin:.75rem 0}
    b.error,b.warning,b.note{font-size:.8rem;padding:.05rem .45rem;border:1px solid;border-radius:1rem;
    margin-right:.2rem}
    b.error{color:var(--error)}b.warning{color:var(--warning)}b.note{color:var(--note)}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem}
    .cards:empty{display:none}
    .card,.item,.finding{background:var(--card);border:1px solid var(--line);border-radius:.4rem;
    padding:.75rem 1rem}
    .card :is(h2,h3){margin:0 0 .6rem;font-size:1rem}
    .items{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr));gap:1rem;
    align-items:start}
    .item{border-left:.4rem solid var(--settled);min-width:0}
    .item.decide{border-left-color:var(--decide)}
    .item.lost{border-left-color:var(--lost)}
    .item.ready{border-left-color:var(--ready)}
    .item :is(h3,h4){margin:0 0 .3rem;font-weight:600}
    .item :is(h3,h4) code{font-weight:400}
    .item:target,.finding:target,:target>.item{outline:3px solid var(--link)}
    .finding{margin:.75rem 0;border-left-width:.4rem}
    .finding.error{border-left-color:var(--error)}
    .finding.warning{border-left-color:var(--warning)}
    .finding.note{border-left-color:var(--note)}
    .finding :is(h3,h4){margin:0 0 .3rem}
    .finding ul{margin:.3rem 0;padding-left:1.25rem}
    dl{margin:0 0 .5rem}
    dl div{display:grid;grid-template-columns:8rem 1fr;gap:.5rem;margin:.15rem 0}
    dt{color:var(--dim)}dd{margin:0;min-width:0}
    table{border-collapse:collapse;width:100%;font-size:.9rem}
    th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;
    border-top:1px solid var(--line)}
    thead th{border-top:0;color:var(--dim);font-weight:400}
    tbody th{font-weight:600}
    .fields{table-layout:fixed}
    .fields td{white-space:pre-wrap}
    .fields th:first-child{width:30%}
    .fields .dim th,.fields .dim td{color:var(--dim);font-weight:400}
    .differs th,.differs td{background:var(--mark)}
    .differs th{border-left:4px solid var(--decide);padding-left:.4rem}
    em{font-size:.8rem;font-style:normal;font-weight:400;border-bottom:1px solid}
    .facts th{width:10rem;font-weight:400;color:var(--dim)}
    .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    .bars td:last-child:has(svg){width:30%}
    .stores th{font-weight:400}
    .stores small{display:block}
    .time{white-space:nowrap}
    .chart{display:block;overflow:visible}
    svg text{fill:var(--ink);font-size:13px}
    svg .dim{fill:var(--dim);font-size:12px}
    svg line{stroke:var(--line)}
    svg .axis{stroke:var(--dim)}
    .insert{fill:var(--dark)}
    .update{fill:var(--middle)}
    .delete{fill:var(--card);stroke:var(--dark);stroke-width:2}
    .unreadable{fill:var(--card);stroke:var(--dim);stroke-dasharray:3}
    .failure{fill:var(--dark)}
    .whole{fill:var(--whole)}
    .pull{fill:var(--dark)}
    .row{fill:var(--middle);stroke:var(--dark)}
    .replay{fill:var(--card);stroke:var(--dark);stroke-width:3}
    .legend{font-size:.85rem;color:var(--dim);margin:.3rem 0 0}
    .legend i{display:inline-block;width:.8rem;height:.8rem;margin-left:.6rem;border:2px solid var(--dark)}
    .legend .insert{background:var(--dark)}
    .legend .update{background:var(--middle);border-color:var(--middle)}
    pre{white-space:pre-wrap;margin:.25rem 0;font-size:.85rem}
    summary{cursor:pointer}
    label{display:block;font-size:.9rem;color:var(--dim)}
    input,select,button{font:inherit;max-width:100%;padding:.35rem .6rem;border:1px solid var(--dim);
    border-radius:.4rem;background:var(--card);color:var(--ink)}
    input{width:100%;max-width:28rem}
    button{cursor:pointer}
    .facets{display:flex;flex-wrap:wrap;gap:.5rem 1rem;margin:.5rem 0}
    .facets select{width:100%;max-width:16rem}
    .facets span{min-width:0}
    #search{margin:.75rem 0}
    #status{min-height:1.5em;margin:.25rem 0}
    @media (max-width:40rem){
    body{padding:.75rem}
    h1{font-size:1.4rem}
    .numbers{grid-template-columns:1fr 1fr}
    .item,.card,.finding{padding:.6rem .7rem}
    dl div{grid-template-columns:1fr;gap:0;margin:.35rem 0}
    .facts th{width:6rem}
    .fields{font-size:.85rem}
    .fields th:first-child{width:33%}
    em{display:table}
    .stores thead{position:absolute;left:-100rem}
    .stores tr{display:block;padding:.6rem 0;border-top:1px solid var(--line)}
    .stores th,.stores td{display:block;border:0;padding:0}
    .stores td.n{display:inline-block;margin-right:.75rem;color:var(--dim)}
    .stores td.n::after{content:" " attr(data-word)}
    .stores td.n:empty{display:none}
    .bars th:nth-child(3),.bars td:nth-child(3){display:none}
    .bars td:last-child:has(svg){width:20%}
    }
    @media print{
    @page{size:A4;margin:11mm}
    :root{color-scheme:light;--ink:#000;--dim:#444;--paper:#fff;--card:#fff;--line:#bbb;--link:#000;
    --error:#8c1d18;--warning:#5f3f00;--note:#3c4856;--decide:#5f3f00;--lost:#8c1d18;--ready:#1c5232;
    --settled:#444;--mark:#eee;--dark:#222;--middle:#999;--whole:#eee}
    *{print-color-adjust:exact}
    html{font-size:8pt}
    body{max-width:none;padding:0;font:1rem/1.25 system-ui,sans-serif}
    .skip,nav,#search :not(#status),.causes,:is(.more,#more)>button{display:none}
    [data-left]::after{content:"and " attr(data-left) " more, which are not on paper"}
    #meaning>details::details-content{content-visibility:visible;display:block}
    article details:not([open],.causes)>summary::after{content:", which are not on paper"}
    #search,#status{margin:0;min-height:0}
    #status[data-text]:not([data-text=""])::after{content:" of a search for “" attr(data-text) "”"}
    .hint{max-width:none}
    #ready>.hint,#settled>.hint{display:none}
    a{text-decoration:none}
    p{margin:.15rem 0}
    h1{font-size:13pt}h2{font-size:10.5pt;margin:.5rem 0 .15rem}h3,h4{font-size:8.5pt}
    h1,h2,h3,h4,thead{break-after:avoid}
    .lead{font-size:9pt}
    .numbers{display:flex;gap:.4rem;margin:.3rem 0}
    .number{padding:.1rem .5rem;flex:1}
    .number b{display:inline;font-size:11pt}
    .glance{margin:.2rem 0;columns:2}
    .cards{grid-template-columns:repeat(3,1fr);gap:.4rem;break-inside:avoid}
    .card,.item,.finding{padding:.25rem .4rem;break-inside:avoid}
    .card .chart{zoom:.75}
    .items{display:block;columns:2;column-gap:.4rem}
    .item{margin:0 0 .35rem}
    .item :is(h3,h4),.finding :is(h3,h4){margin:0}
    .finding{margin:.2rem 0}
    .finding :is(p,ul){font-size:7pt;line-height:1.2;margin:.1rem 0}
    #findings{columns:2;column-gap:.4rem}
    #findings>h2,#findings>h3{column-span:all}
    dl{margin:0}
    dl div{grid-template-columns:6.5rem 1fr;margin:0}
    table{font-size:7pt}
    th,td{padding:.05rem .3rem .05rem 0}
    tr{break-inside:avoid}
    b.error,b.warning,b.note{font-size:7pt;padding:0 .25rem}
    }
    """#
}
