# Varnish as a cache in front of several nodes of calotype serve: it keeps results, and all sizes of a source meet one node.
#
# After a purge on the nodes, ban the source here, in each spelling that your URLs have:
#   curl -X BAN -H "X-Source: plain/https://images.example.com/cat.jpg" http://varnish:8090/
#   curl -X BAN -H "X-Source: $(printf %s https://images.example.com/cat.jpg | basenc --base64url | tr -d '=')" http://varnish:8090/
vcl 4.1;

import directors;

# The machines from which operators ban.
acl operators {
    "localhost";
    "10.0.0.0"/24;
}

# A node is ready once it knows the purges of others, and until it drains. Varnish asks its admin port, which needs an address
# that other machines reach: calotype serve --admin 10.0.0.1:8081 --allow-remote
probe ready {
    .url = "/.calotype/ready";
    .interval = 1s;
    .timeout = 1s;
    .window = 2;
    .threshold = 1;
    .initial = 1;
}

backend node1 { .host = "10.0.0.1"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 20s; }
backend node2 { .host = "10.0.0.2"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 20s; }
backend node3 { .host = "10.0.0.3"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 20s; }
backend ready1 { .host = "10.0.0.1"; .port = "8081"; .probe = ready; }
backend ready2 { .host = "10.0.0.2"; .port = "8081"; .probe = ready; }
backend ready3 { .host = "10.0.0.3"; .port = "8081"; .probe = ready; }

sub vcl_init {
    new nodes = directors.shard();
    nodes.add_backend(ready1);
    nodes.add_backend(ready2);
    nodes.add_backend(ready3);
    nodes.reconfigure();
}

sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ operators) { return (synth(403)); }
        if (req.http.X-Source !~ "^[^\s\x22]+$") { return (synth(400, "X-Source names no source")); }
        ban("obj.http.X-Calotype-Source == " + req.http.X-Source);
        return (synth(200, "banned"));
    }
    if (req.method != "GET" && req.method != "HEAD") { return (synth(405)); }
    # That a node runs is nothing for clients.
    if (req.url ~ "^/health(\?|$)") { return (synth(404)); }
    # The source: the path without signature and options, which have a colon, and without the extension.
    set req.http.X-Calotype-Source = regsub(regsub(req.url, "\?.*$", ""), "^/[^/]*/([^/:]*:[^/]*/)*", "");
    if (req.http.X-Calotype-Source ~ "^plain/") {
        set req.http.X-Calotype-Source = regsub(req.http.X-Calotype-Source, "@.*$", "");
    } else {
        set req.http.X-Calotype-Source = regsub(req.http.X-Calotype-Source, "[.].*$", "");
    }
    # Results depend on the URL and on Accept alone.
    unset req.http.Cookie;
    return (hash);
}

sub vcl_backend_fetch {
    # The next node if one fails, unless its response has begun. Varnish probes a backend on its own port alone, so that the
    # admin ports are chosen among, and the node of the chosen one is asked.
    set bereq.backend = nodes.backend(
        by = KEY, key = nodes.key(bereq.http.X-Calotype-Source), alt = bereq.retries, healthy = CHOSEN);
    if (bereq.backend == ready1) { set bereq.backend = node1; }
    elsif (bereq.backend == ready2) { set bereq.backend = node2; }
    elsif (bereq.backend == ready3) { set bereq.backend = node3; }
}

sub vcl_backend_response {
    set beresp.http.X-Calotype-Source = bereq.http.X-Calotype-Source;
}

sub vcl_backend_error {
    if (bereq.retries < 2) { return (retry); }
}

sub vcl_deliver {
    unset resp.http.X-Calotype-Source;
}
