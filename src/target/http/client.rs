//! The client of a target: TLS, proxies, no cookies, no redirects behind our back.

use crate::problem::{Place, Problem};
use crate::secret::Secret;
use crate::suite::config::live::{HttpConfig, Proxy};
use crate::target::Environment;
use crate::target::template::{Escape, Template, Values};
use reqwest::{Certificate, Client, ClientBuilder, Url, redirect};
use rustls::crypto::ring;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What clients are made of: one for all requests, and, where a kept connection has died, one for a new connection.
#[derive(Debug)]
pub(super) struct Clients {
    connect: Duration,
    certificates: Vec<Certificate>,
    route: Route,
    /// Whether TLS may be spoken: only then are the system's certificates read, which takes time.
    tls: bool,
    /// How the way to the server is told where somebody stands between.
    way: Option<&'static str>,
    /// The secrets of the proxy's address.
    pub(super) secrets: Vec<Secret>,
}

/// The way to the server.
#[derive(Debug)]
enum Route {
    Direct,
    Environment,
    Through(Box<reqwest::Proxy>),
}

impl Clients {
    /// Reads what the settings say of a target at this address.
    ///
    /// # Errors
    /// A file of certificates that cannot be read, a proxy's address that is none.
    pub(super) fn new(config: &HttpConfig, url: &Url, environment: &Environment) -> Result<Clients, Problem> {
        let certificates = match &config.ca {
            Some(path) => certificates(path, &config.url.place)?,
            None => Vec::new(),
        };
        let mut secrets = Vec::new();
        let mut tls = url.scheme() == "https";
        let route = match &config.proxy {
            Proxy::Direct => Route::Direct,
            // Whatever the variables say: a proxy's `localhost` is the proxy itself.
            Proxy::Environment if is_loopback(url) => Route::Direct,
            Proxy::Environment => {
                tls = true;
                Route::Environment
            }
            Proxy::Through(text) => {
                let template = Template::compile(text, Escape::Url, &config.vars, environment)?;
                secrets.extend(template.variables().iter().map(|v| v.value.clone()));
                let address = match template.render(&Values::example()) {
                    Ok(r) => r.sent,
                    Err(f) => return Err(Problem::error("proxy", text.place.clone(), f.why)),
                };
                let parsed = Url::parse(address.expose()).ok();
                if let Some(parsed) = &parsed {
                    tls |= parsed.scheme() == "https";
                    secrets.extend(super::hidden::user_info(parsed));
                }
                match reqwest::Proxy::all(address.expose()) {
                    Ok(p) if parsed.is_some() => Route::Through(Box::new(p)),
                    Ok(_) | Err(_) => {
                        return Err(Problem::error("proxy", text.place.clone(), "`proxy` is no address")
                            .help("write proxy = \"http://proxy.example:3128\", or proxy = \"none\""));
                    }
                }
            }
        };
        let way = match &route {
            Route::Direct => None,
            Route::Environment => {
                proxied(environment).then_some("the proxy of the environment (HTTP_PROXY and the like)")
            }
            Route::Through(_) => Some("the `proxy` of ragline.toml"),
        };
        Ok(Clients { connect: config.live.timeouts.connect, certificates, route, tls, way, secrets })
    }

    /// Through whom the server is asked, for messages: nobody, or a proxy, who may be the one that is not there.
    pub(super) fn way(&self) -> Option<&'static str> {
        self.way
    }

    /// A client that keeps its connections for the next request.
    ///
    /// # Errors
    /// Why there can be none, in one line.
    pub(super) fn keeping(&self) -> Result<Client, String> {
        self.build(self.start()?)
    }

    /// A client whose every request has a connection of its own.
    ///
    /// # Errors
    /// As for [`Clients::keeping`].
    pub(super) fn fresh(&self) -> Result<Client, String> {
        self.build(self.start()?.pool_max_idle_per_host(0))
    }

    fn start(&self) -> Result<ClientBuilder, String> {
        let builder = Client::builder()
            .user_agent(concat!("ragline/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .referer(false)
            .connect_timeout(self.connect);
        if self.tls {
            // Another provider that the process has already chosen is as good.
            let _ = ring::default_provider().install_default();
            return Ok(builder.tls_certs_merge(self.certificates.iter().cloned()));
        }
        // No TLS is spoken: nobody is trusted, and nothing need be read.
        let nobody = rustls::ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        Ok(builder.tls_backend_preconfigured(nobody))
    }

    fn build(&self, builder: ClientBuilder) -> Result<Client, String> {
        let builder = match &self.route {
            Route::Direct => builder.no_proxy(),
            Route::Environment => builder,
            Route::Through(p) => builder.no_proxy().proxy((**p).clone()),
        };
        builder.build().map_err(|e| super::exchange::innermost(&e))
    }
}

/// Whether the environment names a proxy that may be used.
fn proxied(environment: &Environment) -> bool {
    ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        .iter()
        .any(|name| environment.get(name).is_some_and(|value| !value.is_empty()))
}

/// Whether an address is this machine's own. A server that listens everywhere prints `0.0.0.0`, and people copy that.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    match bare.parse::<std::net::IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(ip) => ip.is_loopback() || ip.is_unspecified(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

fn certificates(path: &Path, place: &Place) -> Result<Vec<Certificate>, Problem> {
    let problem = |what: String| Problem::error("ca", place.clone(), format!("`ca`: {}: {what}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| problem(format!("cannot read this file: {e}")))?;
    match Certificate::from_pem_bundle(&bytes) {
        Ok(list) if !list.is_empty() => Ok(list),
        Ok(_) | Err(_) => Err(problem("no certificate stands in this file".to_owned())
            .help("a file in PEM, with -----BEGIN CERTIFICATE-----; several may stand in one file")),
    }
}
