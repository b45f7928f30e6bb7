"""A PostgreSQL server of its own in a folder, without a network.

    postgresql_server.py start FOLDER
    postgresql_server.py stop FOLDER

`start` prints the folder of the socket, for `psql -h`; its user is postgres. A server does not run
as root, so root starts it as the user postgres, whom Debian's package makes.
"""

import glob
import os
import shutil
import subprocess
import sys


def programs():
    """The folder with the newest server's programs."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if found:
        return os.path.dirname(found[-1])
    one = shutil.which("initdb")
    return os.path.dirname(os.path.realpath(one)) if one else sys.exit("there is no initdb")


def psql():
    """The client itself: what Debian has in its place on the path starts Perl first."""
    own = os.path.join(programs(), "psql")
    return own if os.path.exists(own) else "psql"


def run(arguments, folder):
    command = " ".join("'" + argument.replace("'", "'\\''") + "'" for argument in arguments)
    as_server = ["su", "postgres", "-s", "/bin/sh", "-c"] if os.geteuid() == 0 else ["/bin/sh", "-c"]
    done = subprocess.run(
        as_server + [command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(done.stderr.decode())


def main():
    action, folder = sys.argv[1:]
    data = os.path.join(folder, "data")
    if action == "start":
        os.makedirs(folder, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        run([programs() + "/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale", "C.UTF-8"], folder)
        run([programs() + "/pg_ctl", "-D", data, "-w", "-l", folder + "/log", "-o",
             f"-c listen_addresses= -c fsync=off -k {folder}", "start"], folder)
        print(folder)
    else:
        run([programs() + "/pg_ctl", "-D", data, "-m", "immediate", "stop"], folder)


if __name__ == "__main__":
    main()
