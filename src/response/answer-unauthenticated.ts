// Answers requests that need no authentication: CORS preflights, and the explorer, where users enter their token.
import type { ExplorerFiles } from '../contract/explorer-file.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { addEdgeHeaders, answerPreflight, type EdgeSettings } from './edge-headers.ts';
import { answerExplorer } from './explorer-response.ts';

/** @param files undefined if the explorer is disabled */
export function answerUnauthenticated(
  request: HttpRequest,
  settings: EdgeSettings,
  files: ExplorerFiles | undefined,
): { readonly kind: 'preflight' | 'request'; readonly response: HttpResponse } | undefined {
  const preflight = answerPreflight(request, settings);
  if (preflight !== undefined) return { kind: 'preflight', response: preflight };
  const answer = files && answerExplorer(request, files);
  if (answer === undefined) return undefined;
  return { kind: 'request', response: addEdgeHeaders(answer, request, settings) };
}
