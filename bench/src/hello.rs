//! The limit: a bare hyper server with answers of the same size and no work behind them.

use crate::Fault;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::net::SocketAddr;

/// `GET /` returns `size` bytes; `POST /` parses a contact and returns it in full.
pub(crate) fn serve(port: u16, size: usize) -> Result<(), Fault> {
    let fixed = Bytes::from(vec![b'x'; size]);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await?;
        println!("listens on {}", listener.local_addr()?);
        loop {
            let (socket, _) = listener.accept().await?;
            socket.set_nodelay(true)?;
            let fixed = fixed.clone();
            let service = service_fn(move |request| answer(fixed.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service);
            tokio::spawn(connection);
        }
    })
}

async fn answer(fixed: Bytes, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    if *request.method() == Method::GET {
        return Ok(json(StatusCode::OK, fixed));
    }
    let body = request.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let answer = serde_json::from_slice(&body).and_then(|input| serde_json::to_vec(&take(input)));
    Ok(match answer {
        Ok(answer) => json(StatusCode::CREATED, answer.into()),
        Err(error) => json(StatusCode::BAD_REQUEST, error.to_string().into()),
    })
}

fn json(status: StatusCode, content: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(content));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[derive(Deserialize)]
struct Input {
    first_name: String,
    last_name: Option<String>,
    title: Option<String>,
    current_company: Option<String>,
    location: Option<String>,
    network_profile: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    global_status: Option<String>,
    contact_type: Option<String>,
    summary: Option<String>,
    #[serde(default)]
    skills: Vec<String>,
    #[serde(default)]
    languages: Vec<String>,
    years_experience: Option<i64>,
}

#[derive(Serialize)]
struct Answer {
    data: Contact,
}

/// The members of the product's answer.
#[derive(Serialize)]
struct Contact {
    id: &'static str,
    first_name: String,
    last_name: Option<String>,
    title: Option<String>,
    current_company: Option<String>,
    location: Option<String>,
    network_profile: Option<String>,
    emails: Vec<Email>,
    phones: Vec<Phone>,
    tags: Vec<String>,
    global_status: String,
    contact_type: String,
    company_id: Option<String>,
    summary: Option<String>,
    skills: Vec<String>,
    languages: Vec<String>,
    years_experience: Option<i64>,
    custom_data: Nothing,
    do_not_contact: bool,
    created_at: &'static str,
    updated_at: &'static str,
    last_contacted_at: Option<String>,
    archived_at: Option<String>,
}

#[derive(Serialize)]
struct Email {
    email: String,
    r#type: &'static str,
}

#[derive(Serialize)]
struct Phone {
    phone: String,
    r#type: &'static str,
}

#[derive(Serialize)]
struct Nothing {}

fn take(input: Input) -> Answer {
    const NOW: &str = "2026-01-01T00:00:00.000Z";
    let data = Contact {
        id: "01900000-0000-7000-8000-000000000000",
        first_name: input.first_name,
        last_name: input.last_name,
        title: input.title,
        current_company: input.current_company,
        location: input.location,
        network_profile: input.network_profile,
        emails: input.email.into_iter().map(|email| Email { email, r#type: "work" }).collect(),
        phones: input.phone.into_iter().map(|phone| Phone { phone, r#type: "personal" }).collect(),
        tags: input.tags,
        global_status: input.global_status.unwrap_or_else(|| "new".into()),
        contact_type: input.contact_type.unwrap_or_else(|| "candidate".into()),
        company_id: None,
        summary: input.summary,
        skills: input.skills,
        languages: input.languages,
        years_experience: input.years_experience,
        custom_data: Nothing {},
        do_not_contact: false,
        created_at: NOW,
        updated_at: NOW,
        last_contacted_at: None,
        archived_at: None,
    };
    Answer { data }
}
