"""Names, connections, certificates, curl. Loopback addresses are the tests' own, not the network."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

LOOPBACK = rb"127\.0\.0\.\d|\blocalhost\b|\[::1\]|\b0\.0\.0\.0\b"
dns, tcp, tls, curl = family("dns"), family("tcp"), family("tls"), family("curl")

SIGNATURES = (
    dns(
        "dns_down",
        "SPV",
        "network_down",
        rb"temporary failure in name resolution|name or service not known|\bEAI_AGAIN\b|\bENOTFOUND\b"
        rb"|could not resolve host\b"
        rb"|nodename nor servname provided|no address associated with hostname|server misbehaving"
        rb"|lookup .{1,120}?: no such host",
        (
            b"name resolution",
            b"name or service",
            b"eai_again",
            b"enotfound",
            b"resolve host",
            b"nodename nor",
            b"no address associated",
            b"server misbehaving",
            b"no such host",
        ),
        b"socket.gaierror: [Errno -3] Temporary failure in name resolution",
        b"getaddrinfo EAI_AGAIN registry.invalid",
        b"curl: (6) Could not resolve host: index.invalid",
        network=True,
        unless=LOOPBACK,
        misses=(b"the name resolution failure is temporary", b"host could not be resolved in time"),
    ),
    tcp(
        "tcp_down",
        "SPB",
        "network_down",
        rb"connection (?:reset by peer|refused|timed out|aborted)|\bECONN(?:RESET|REFUSED|ABORTED)\b|\bETIMEDOUT\b"
        rb"|\bEHOSTUNREACH\b"
        rb"|\bENETUNREACH\b|socket hang up|remote end closed connection|no route to host|network is unreachable"
        rb"|\[errno 1(?:04|10|11)\]",
        (b"connection ", b"econn", b"etimedout", b"unreach", b"socket hang up", b"no route to host", b"[errno 1"),
        b"ConnectionResetError: [Errno 104] Connection reset by peer",
        b"connect ECONNREFUSED 10.0.0.7:443",
        b"connect: Connection refused",
        network=True,
        unless=LOOPBACK,
        misses=(b"the connection was reset", b"connect ECONNREFUSED 127.0.0.1:8000", b"ECONNREFUSEDX", b"104"),
    ),
    tcp(
        "tcp_in_tests",
        "V",
        "unknown",
        rb"connection (?:reset by peer|refused|timed out)|\bECONN(?:RESET|REFUSED)\b|\bETIMEDOUT\b|socket hang up",
        (b"connection ", b"econn", b"etimedout", b"socket hang up"),
        b"connect ECONNREFUSED 127.0.0.1:8000",
        network=True,
        vague=True,
        misses=(b"connection is fine", b"socket hangs up"),
    ),
    tls(
        "tls_clock",
        "SPV",
        "clock_skew",
        rb"certificate is not yet valid|not yet valid: .{0,80}?current time|x509: certificate .{0,80}?not yet valid",
        (b"not yet valid",),
        b"SSL: CERTIFICATE_VERIFY_FAILED certificate verify failed: certificate is not yet valid",
        b"x509: certificate has expired or is not yet valid: current time 2001-01-01T00:00:00Z is before 2026-01-01T00:00:00Z",
        network=True,
        misses=(b"the token is not yet valid",),
    ),
    tls(
        "tls_broken",
        "SPV",
        "tls_broken",
        rb"certificate has expired|CERTIFICATE_VERIFY_FAILED|self[- ]signed certificate"
        rb"|unable to get local issuer certificate"
        rb"|server certificate verification failed|x509: certificate signed by unknown authority",
        (b"certificate",),
        b"ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self signed certificate",
        b"x509: certificate signed by unknown authority",
        network=True,
        unless=rb"not yet valid",
        after={"clock_skew": "clock_skew", "tls_clock": "clock_skew"},
        misses=(b"a certificate of attendance", b"the certificate expires soon"),
    ),
    curl(
        "curl_down",
        "SV",
        "network_down",
        rb"curl: \((?:5|6|7|28|35|52|55|56|92)\) |curl: \(22\) .{0,120}?error: 5\d\d\b",
        (b"curl: (",),
        b"curl: (7) Failed to connect to index.invalid port 443",
        b"curl: (22) The requested URL returned error: 503",
        network=True,
        unless=LOOPBACK,
        misses=(b"curl: (7", b"curl (6)", b"curl: (22) The requested URL returned error: 404"),
    ),
    curl(
        "curl_refused",
        "SV",
        "install_refused",
        rb"curl: \(22\) .{0,120}?error: 4\d\d\b|curl: \(3\) |curl: \(1\) protocol",
        (b"curl: (",),
        b"curl: (22) The requested URL returned error: 404",
        misses=(b"error: 404",),
    ),
    curl(
        "curl_tls",
        "SV",
        "tls_broken",
        rb"curl: \((?:51|58|60|77|83|91)\) ",
        (b"curl: (",),
        b"curl: (60) SSL certificate problem: unable to get local issuer certificate",
        network=True,
        unless=rb"not yet valid",
        misses=(b"curl: (600) x",),
    ),
)
