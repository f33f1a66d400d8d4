// Serves the explorer: the page at `/`, its files below `/explorer/`, and the documentation below `/explorer/docs/`. Needs
// no token, because users enter it in the page. All data comes from ordinary API requests. The admin server has its own page.
import type { ExplorerFile, ExplorerFiles } from '../contract/explorer-file.ts';
import { firstHeader, type HeaderList, type HttpRequest, type HttpResponse } from '../contract/http.ts';
import { prefersHtml } from '../media/accept.ts';

const SECURITY_HEADERS: HeaderList = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
      "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
];

const ASSETS = '/explorer/';
const DOCS = '/explorer/docs/';
/** Other names below `/explorer/` contain a hash of the content. */
const CHANGING = /^\/explorer\/docs\/(?!assets\/)/u;

type PageName = 'index.html' | 'admin.html';

/** @returns undefined if the request is not for the explorer */
export function answerExplorer(
  request: HttpRequest,
  files: ExplorerFiles,
  pageName: PageName = 'index.html',
): HttpResponse | undefined {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/') return answerRoot(request, files.get(pageName));
  if (!path.startsWith(ASSETS)) return undefined;
  const file = files.get((path === DOCS ? `${path}index.html` : path).slice(1));
  if (file !== undefined) return CHANGING.test(path) ? buildPage(file, request) : buildAsset(file, request);
  return `${path}/` === DOCS && files.get(`${DOCS}index.html`.slice(1)) !== undefined ? redirect(path) : undefined;
}

function answerRoot(request: HttpRequest, page: ExplorerFile | undefined): HttpResponse | undefined {
  if (page === undefined || !prefersHtml(firstHeader(request.headers, 'accept'))) return undefined;
  if (request.mount?.isBare === true) return redirect(request.mount.basePath, 'Accept');
  return buildPage(page, request, 'Accept, Accept-Encoding');
}

/**
 * Appends a slash to the path. A relative location, like all addresses in the page, cannot lead to another host.
 */
function redirect(path: string, vary?: string): HttpResponse {
  const [segment = ''] = path.split('/').slice(-1);
  const varying: HeaderList = vary === undefined ? [] : [['Vary', vary]];
  return { status: 307, headers: [['Location', `./${segment}/`], ...varying], body: new Uint8Array() };
}

function buildPage(page: ExplorerFile, request: HttpRequest, vary = 'Accept-Encoding'): HttpResponse {
  const caching: HeaderList = [
    ['Cache-Control', 'no-cache'],
    ['ETag', page.etag],
    ['Vary', vary],
  ];
  if (firstHeader(request.headers, 'if-none-match')?.includes(page.etag) !== true)
    return buildFile(page, request, caching);
  return { status: 304, headers: caching };
}

function buildAsset(file: ExplorerFile, request: HttpRequest): HttpResponse {
  const caching: HeaderList = [
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['Vary', 'Accept-Encoding'],
  ];
  return buildFile(file, request, caching);
}

function buildFile(file: ExplorerFile, request: HttpRequest, caching: HeaderList): HttpResponse {
  const accepted = firstHeader(request.headers, 'accept-encoding') ?? '';
  const chosen = file.encodings.find(({ name }) => name === 'identity' || isAccepted(name, accepted));
  if (chosen === undefined) throw new Error('a file of the explorer has no encoding');
  const encoding: HeaderList = chosen.name === 'identity' ? [] : [['Content-Encoding', chosen.name]];
  const headers: HeaderList = [['Content-Type', file.contentType], ...encoding, ...caching, ...SECURITY_HEADERS];
  return { status: 200, headers, body: request.method === 'HEAD' ? undefined : chosen.bytes };
}

/** A weight of zero excludes an encoding (RFC 9110 §12.5.3). */
function isAccepted(encoding: string, header: string): boolean {
  return header.split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter));
  });
}
