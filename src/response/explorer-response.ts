// Serves the explorer: the page at `/` and the files below `/explorer/`. Needs no token, because users enter it
// in the page. All data comes from ordinary API requests. The admin server has its own page.
import type { ExplorerFile, ExplorerFiles } from '../contract/explorer-file.ts';
import { firstHeader, type HeaderList, type HttpRequest, type HttpResponse, type Mount } from '../contract/http.ts';
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

/** File names in this folder contain a content hash. */
const ASSETS = 'explorer/';

type PageName = 'index.html' | 'admin.html';

/** @returns undefined if the request is not for the explorer */
export function answerExplorer(
  request: HttpRequest,
  files: ExplorerFiles,
  pageName: PageName = 'index.html',
): HttpResponse | undefined {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/') {
    const page = prefersHtml(firstHeader(request.headers, 'accept')) ? files.get(pageName) : undefined;
    if (page === undefined) return undefined;
    return request.mount?.isBare === true ? redirect(request.mount) : buildPage(page, request);
  }
  const asset = path.startsWith(`/${ASSETS}`) ? files.get(path.slice(1)) : undefined;
  if (asset === undefined) return undefined;
  const caching: HeaderList = [
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['Vary', 'Accept-Encoding'],
  ];
  return buildFile(asset, request, caching);
}

/** A relative location, like all addresses in the page, so that it cannot lead to another host. */
function redirect({ basePath }: Mount): HttpResponse {
  const [segment = ''] = basePath.split('/').slice(-1);
  return {
    status: 307,
    headers: [
      ['Location', `./${segment}/`],
      ['Vary', 'Accept'],
    ],
    body: new Uint8Array(),
  };
}

function buildPage(page: ExplorerFile, request: HttpRequest): HttpResponse {
  const caching: HeaderList = [
    ['Cache-Control', 'no-cache'],
    ['ETag', page.etag],
    ['Vary', 'Accept, Accept-Encoding'],
  ];
  if (firstHeader(request.headers, 'if-none-match')?.includes(page.etag) !== true)
    return buildFile(page, request, caching);
  return { status: 304, headers: caching };
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
