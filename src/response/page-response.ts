// Serves a static HTML page at `/` that explains how to use the API. It loads no resources and runs no scripts.
import type { AppConfig } from '../config/table/app-config.ts';
import type { HeaderList, HttpResponse } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import type { PageAction } from '../plan/actions/action-plan.ts';
import { varyHeader, type VaryContext } from './vary.ts';

export interface PageContext extends VaryContext {
  readonly product: Product;
  readonly config: VaryContext['config'] & Pick<AppConfig, 'openapiVersion'>;
}

export function buildPageResponse({ isHead }: PageAction, context: PageContext): HttpResponse {
  const headers: HeaderList = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"],
    ['X-Content-Type-Options', 'nosniff'],
    varyHeader(context),
  ];
  return { status: 200, headers, body: isHead ? undefined : new TextEncoder().encode(renderPage(context)) };
}

function renderPage({ product, config }: PageContext): string {
  const name = escapeHtml(`${product.name} ${product.version}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
</head>
<body>
<h1>${name}</h1>
<p>This server provides the tables, views and functions of a PostgreSQL database as an HTTP API.</p>
<h2>API description</h2>
<p>To get the OpenAPI ${config.openapiVersion} description of the API, request JSON from this URL:</p>
<pre>GET /
Accept: application/openapi+json</pre>
${renderSchemas(config.dbSchemas)}<h2>Requests</h2>
<pre>GET /table?column=eq.value&amp;select=column,other&amp;order=column.desc&amp;limit=10
POST /table
PATCH /table?id=eq.1
DELETE /table?id=eq.1
POST /rpc/function</pre>
<p>If you have a token, send it as <code>Authorization: Bearer TOKEN</code>. Responses are JSON. Errors include a hint if the server can suggest a fix.</p>
<h2>Explorer</h2>
<p>The operator of this server can replace this page with one to browse tables and build requests: set the option <code>server-explorer = true</code>.</p>
</body>
</html>
`;
}

/** Schema names are public anyway: error `SVC106` lists them. */
function renderSchemas(schemas: readonly string[]): string {
  if (schemas.length === 1) return '';
  const names = schemas.map((schema) => `<code>${escapeHtml(schema)}</code>`).join(', ');
  return `<p>Schemas: ${names}. Select one with the header <code>Accept-Profile</code>, or <code>Content-Profile</code> for writes.</p>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}
