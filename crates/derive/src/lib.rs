//! `#[derive(Resource)]`: turns the fields of a struct into a const table, a typed constant for each column
//! (`Contact::STATUS`), a row decoder and a cache for its SQL statements.
//!
//! It defines no attributes of its own: `#[field(required, max = 200)]` becomes `.required().max(200)` on
//! `resource::Field`, so every attribute is a documented method and a misspelt one is a compile error.

use proc_macro::TokenStream;
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Lit, Meta, Token, parse_macro_input};

#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<proc_macro2::TokenStream, Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(input, "a resource is a struct"));
    };
    let (name, about, words) = (&input.ident, doc(&input.attrs), chain(&input.attrs, "resource")?);
    let (mut table, mut columns, mut decode) = (Vec::new(), Vec::new(), Vec::new());
    for (index, field) in data.fields.iter().enumerate() {
        let ident = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "a resource's fields have names"))?;
        let (ty, doc, words) = (&field.ty, doc(&field.attrs), chain(&field.attrs, "field")?);
        // `r#type` is the member `type`.
        let key = ident.to_string().trim_start_matches("r#").to_owned();
        table.push(quote! { ::resource::Field::of::<#ty>(#key, #doc) #words });
        let column = format_ident!("{}", key.to_uppercase());
        columns.push(quote! {
            pub const #column: ::resource::Column<#ty> =
                ::resource::Column::new(&<Self as ::resource::Resource>::FIELDS[#index]);
        });
        decode.push(quote! {
            #ident: row.get(#index).map_err(::resource::Error::from).and_then(::resource::FieldType::decode).map_err(|e| e.at(#key))?
        });
    }
    // No rule uses every column of every resource.
    Ok(quote! {
        #[allow(dead_code)]
        impl #name {
            #(#columns)*
        }
        impl ::resource::Resource for #name {
            const ABOUT: ::resource::About = ::resource::About::new(stringify!(#name), #about) #words;
            const FIELDS: &'static [::resource::Field] = &[#(#table),*];
            fn decode(row: &dyn ::store::Row) -> Result<Self, ::resource::Error> {
                Ok(Self { #(#decode),* })
            }
            fn statements() -> &'static ::resource::Statements {
                static STATEMENTS: ::std::sync::OnceLock<::resource::Statements> = ::std::sync::OnceLock::new();
                STATEMENTS.get_or_init(|| ::resource::Statements::of(<Self as ::resource::Resource>::ABOUT.table, <Self as ::resource::Resource>::FIELDS))
            }
        }
    })
}

/// The doc comment, which becomes the description in the API document.
fn doc(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// `#[field(a, b = 1)]` as `.a().b(1)`.
fn chain(attrs: &[Attribute], name: &str) -> Result<proc_macro2::TokenStream, Error> {
    let mut calls = proc_macro2::TokenStream::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        for word in attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            calls.extend(match word {
                Meta::Path(method) => quote! { .#method() },
                Meta::NameValue(pair) => {
                    let (method, value) = (pair.path, pair.value);
                    quote! { .#method(#value) }
                }
                Meta::List(list) => return Err(Error::new_spanned(list, "write word or word = value")),
            });
        }
    }
    Ok(calls)
}
