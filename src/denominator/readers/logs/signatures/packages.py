"""Package managers: the same last line stands for a dead network and for a pin that does not exist."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

pip, npm, cargo, apt, maven = (family(name) for name in ("pip", "npm", "cargo", "apt", "maven"))

SIGNATURES = (
    pip(
        "pip_unreachable",
        "SV",
        "network_down",
        rb"warning: retrying \(.{0,200}?\) after connection broken.{0,300}"
        rb"|could not fetch url .{0,300}?(?:connection|timed out|ssl error|resolve)"
        rb"|error: could not install packages due to an (?:oserror|environmenterror): httpsconnectionpool",
        (b"after connection broken", b"could not fetch url", b"httpsconnectionpool"),
        b"WARNING: Retrying (total=0) after connection broken: [Errno 111] Connection refused: /simple/covlite/",
        b"WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...)': /simple/a/",
        network=True,
        misses=(b"Retrying the request", b"the connection is broken"),
    ),
    pip(
        "pip_missing",
        "SV",
        "install_refused",
        rb"error: (?:could not find a version that satisfies the requirement"
        rb"|no matching distribution found for) .{1,200}"
        rb"|because .{1,200}? was not found in the package registry",
        (b"satisfies the requirement", b"no matching distribution", b"in the package registry"),
        b"ERROR: No matching distribution found for covlite==2.1",
        b"ERROR: Could not find a version that satisfies the requirement covlite==2.1 (from versions: 1.0)",
        setup_cause="sandbox_config",
        after={"pip_unreachable": "network_down", "dns_down": "network_down"},
        misses=(b"No matching distribution", b"a version that satisfies you"),
    ),
    pip(
        "pip_drift",
        "SV",
        "install_refused",
        rb"packages do not match the hashes|\bResolutionImpossible\b|requires a different python"
        rb"|error: package .{1,120}? requires python"
        rb"|no solution found when resolving dependencies",
        (b"match the hashes", b"resolutionimpossible", b"different python", b"requires python", b"no solution found"),
        b"ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
        b"ERROR: ResolutionImpossible: for help visit",
        setup_cause="sandbox_config",
        misses=(b"the hashes match", b"this requires python"),
    ),
    npm(
        "npm_unreachable",
        "SV",
        "network_down",
        rb"(?:npm (?:err!|error) |yarn.{0,80}?|ERR_PNPM_.{0,80}?)(?:code |errno )?(?:ECONNREFUSED|ENOTFOUND"
        rb"|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E429|E5\d\d)\b"
        rb"|ERR_PNPM_(?:META_FETCH_FAIL|FETCH_5\d\d)",
        (b"npm err", b"yarn", b"err_pnpm"),
        b"npm ERR! code ECONNREFUSED",
        b"npm error code E503",
        network=True,
        misses=(b"npm ERR! code ELIFECYCLE", b"ECONNREFUSED"),
    ),
    npm(
        "npm_refused",
        "SV",
        "install_refused",
        rb"npm (?:err!|error) (?:code )?(?:E404|ETARGET|ERESOLVE|EINTEGRITY|E40[13]|EBADENGINE|EUSAGE)\b"
        rb"|ERR_PNPM_(?:NO_MATCHING_VERSION|FETCH_404|OUTDATED_LOCKFILE|TARBALL_INTEGRITY)",
        (b"npm err", b"err_pnpm"),
        b"npm ERR! code E404",
        b"npm error code ERESOLVE",
        setup_cause="sandbox_config",
        misses=(b"E404", b"npm ERR! code 1"),
    ),
    cargo(
        "cargo_unreachable",
        "SV",
        "network_down",
        rb"spurious network error|error: failed to (?:download|fetch|get) .{0,200}"
        rb"|failed to query replaced source registry|warning: .{0,80}?network error",
        (b"network error", b"error: failed to", b"failed to query replaced"),
        b"warning: spurious network error (3 tries remaining): [7] Couldn't connect to server",
        b"error: failed to download from `https://crates.invalid/x`",
        network=True,
        misses=(b"error: failed to run custom build command",),
    ),
    cargo(
        "cargo_missing",
        "SV",
        "install_refused",
        rb"error: no matching package (?:named )?.{1,120}?found|no matching package named"
        rb"|failed to select a version for|the lock file .{1,200}? needs to be updated",
        (b"no matching package", b"failed to select a version", b"needs to be updated"),
        b"error: no matching package named `leftpad` found",
        setup_cause="sandbox_config",
        after={"cargo_unreachable": "network_down"},
        misses=(b"the document needs to be updated",),
    ),
    apt(
        "apt_unreachable",
        "SV",
        "network_down",
        rb"hash sum mismatch|(?:err:\d+ |e: |w: ).{0,300}?(?:temporary failure resolving|connection timed out"
        rb"|could not connect to|connection failed)|failed to fetch .{0,300}?\b50[0-4]\b"
        rb"|temporary failure resolving '",
        (
            b"hash sum mismatch",
            b"temporary failure resolving",
            b"connection timed out",
            b"could not connect to",
            b"connection failed",
            b"failed to fetch",
        ),
        b"Err:1 http://mirror.invalid stable InRelease Temporary failure resolving 'mirror.invalid'",
        b"E: Failed to fetch http://mirror.invalid/x.deb  Hash Sum mismatch",
        network=True,
        misses=(b"the sum is a mismatch",),
    ),
    apt(
        "apt_gone",
        "SV",
        "install_refused",
        rb"(?:err:\d+ |e: ).{0,300}?\b404\b\s+not found|e: unable to locate package"
        rb"|e: version '.{1,80}?' for '.{1,80}?' was not found"
        rb"|e: package '.{1,80}?' has no installation candidate"
        rb"|e: the repository .{1,200}? (?:does not have a release file|no longer has)",
        (b" not found", b"e: unable to locate", b"e: version '", b"no installation candidate", b"e: the repository"),
        b"E: archive: libexample_7.74-1 404 Not Found",
        b"E: Unable to locate package libexample7",
        setup_cause="sandbox_config",
        misses=(b"404 Not Found", b"GET /x 404 not found"),
    ),
    maven(
        "maven_unreachable",
        "SV",
        "network_down",
        rb"could not transfer artifact\b|could not (?:get|head) '.{1,300}?'"
        rb"|could not resolve (?:dependencies for project|all (?:files|dependencies|artifacts) for|artifact) .{0,200}",
        (b"could not transfer artifact", b"could not get '", b"could not head '", b"could not resolve"),
        b"Could not transfer artifact a:b:pom:1 from/to central (https://repo.invalid): connect timed out",
        b"Could not resolve dependencies for project a:b:jar:1",
        unless=rb"could not find artifact|offline mode",
        network=True,
        misses=(b"the artifact could not be transferred", b"could not resolve the conflict"),
    ),
    maven(
        "maven_missing",
        "SV",
        "install_refused",
        rb"could not find artifact"
        rb"|cannot access .{1,200}? in offline mode|no cached version of .{1,200}? available for offline mode",
        (b"could not find artifact", b"offline mode"),
        b"Could not resolve dependencies for project a:b:jar:1: Could not find artifact c:d:jar:2 in central",
        b"No cached version of a:b:1 available for offline mode.",
        setup_cause="sandbox_config",
        after={"maven_unreachable": "network_down"},
        misses=(b"could not resolve the conflict", b"in offline mode"),
    ),
)
