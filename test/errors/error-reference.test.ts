// Compares docs/errors.md with the error catalog and the SQLSTATE table: every code with its statuses, and no others.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import type { ApiError, ServiceErrorKind } from '../../src/errors/api-error.ts';
import { describeError, type ErrorContext } from '../../src/errors/render-error.ts';

const CONTEXT: ErrorContext = {
  dialect: SVC_DIALECT,
  product: PRODUCT,
  verbosity: 'verbose',
  isAnonymous: false,
  retryAfter: 0,
};
const RELATION = { schema: 'api', name: 'berth' };

/** One error of each kind; omitting a kind fails type checking. */
const SAMPLES: { readonly [K in ServiceErrorKind]: Extract<ApiError, { kind: K }> } = {
  cannotConnect: { kind: 'cannotConnect', details: undefined },
  connectionLost: { kind: 'connectionLost', details: undefined },
  commitStatusUnknown: { kind: 'commitStatusUnknown', details: undefined },
  schemaCacheMissing: { kind: 'schemaCacheMissing' },
  poolTimeout: { kind: 'poolTimeout' },
  overloaded: { kind: 'overloaded', details: '', option: '' },
  rateExceeded: {
    kind: 'rateExceeded',
    limit: { requests: 50, unit: 's', burst: 100 },
    grant: { isGranted: false, remaining: 0, seconds: 1 },
  },
  keysFull: { kind: 'keysFull' },
  undecodableResult: { kind: 'undecodableResult', details: '' },
  hostFailed: { kind: 'hostFailed', message: '', hint: undefined },
  queryParse: { kind: 'queryParse', context: 'filter', text: '', column: 1, details: '' },
  methodNotAllowedOnRoutine: { kind: 'methodNotAllowedOnRoutine', method: 'PUT' },
  invalidBody: { kind: 'invalidBody', message: '' },
  negativeLimit: { kind: 'negativeLimit' },
  rangeBoundaries: { kind: 'rangeBoundaries' },
  offsetBeyondTotal: { kind: 'offsetBeyondTotal', offset: 9, total: 1 },
  putFilters: { kind: 'putFilters' },
  schemaNotExposed: { kind: 'schemaNotExposed', schema: 'x', exposed: ['api'] },
  mediaTypeUnavailable: { kind: 'mediaTypeUnavailable', accepted: [] },
  contentTypeUnsupported: { kind: 'contentTypeUnsupported', contentType: 'a/b' },
  queryTypeUnsupported: { kind: 'queryTypeUnsupported', contentType: 'a/b', accepted: 'c/d' },
  notEmbedded: { kind: 'notEmbedded', name: 'x', alias: undefined },
  settingHeadersInvalid: { kind: 'settingHeadersInvalid' },
  settingStatusInvalid: { kind: 'settingStatusInvalid' },
  putLimits: { kind: 'putLimits' },
  putKeyMismatch: { kind: 'putKeyMismatch' },
  notSingular: { kind: 'notSingular', rows: 2 },
  methodUnsupported: { kind: 'methodUnsupported', method: 'BREW' },
  relatedOrderToMany: { kind: 'relatedOrderToMany', origin: 'a', isOriginRequested: true, embed: 'b' },
  embedOperator: { kind: 'embedOperator', target: 'a' },
  invalidPreferences: { kind: 'invalidPreferences', invalid: [] },
  aggregatesDisabled: { kind: 'aggregatesDisabled' },
  maxAffectedExceeded: { kind: 'maxAffectedExceeded', rows: 2 },
  invalidPath: { kind: 'invalidPath', path: '/a/b/c' },
  rootDisabled: { kind: 'rootDisabled' },
  notImplemented: { kind: 'notImplemented', feature: '' },
  nameCast: { kind: 'nameCast', cast: 'regclass' },
  measureUnavailable: { kind: 'measureUnavailable', measure: 'l2', field: 'x', extension: undefined },
  pageTokenInvalid: { kind: 'pageTokenInvalid', parameter: 'after' },
  maxAffectedNeedsSet: { kind: 'maxAffectedNeedsSet' },
  rowsNotFound: { kind: 'rowsNotFound', count: 1, details: [0] },
  writeUnfiltered: { kind: 'writeUnfiltered', method: 'PATCH' },
  limitExceeded: { kind: 'limitExceeded', limit: '', status: 413 },
  costExceeded: { kind: 'costExceeded', cost: 2, maxCost: 1, role: 'anon', rows: 1, remedies: ['set a limit'] },
  referenceUnresolved: { kind: 'referenceUnresolved', text: '{a#/0}', request: 1, details: '' },
  conditionFailed: { kind: 'conditionFailed', condition: 'exists' },
  keyInProgress: { kind: 'keyInProgress' },
  responseNotKept: { kind: 'responseNotKept' },
  keyUsed: { kind: 'keyUsed' },
  agentsUnavailable: { kind: 'agentsUnavailable' },
  nestedRow: { kind: 'nestedRow', pointer: '/0/items', reason: '' },
  cookieFromOtherSite: { kind: 'cookieFromOtherSite' },
  sourceNotAllowed: { kind: 'sourceNotAllowed', header: 'Host', value: '' },
  relationshipNotFound: {
    kind: 'relationshipNotFound',
    schema: 'api',
    origin: 'a',
    isOriginRequested: true,
    target: 'b',
    hint: undefined,
    suggestion: undefined,
    between: undefined,
  },
  relationshipAmbiguous: {
    kind: 'relationshipAmbiguous',
    origin: 'a',
    isOriginRequested: true,
    target: 'b',
    candidates: [],
  },
  routineNotFound: {
    kind: 'routineNotFound',
    routine: RELATION,
    search: { kind: 'singleObject' },
    suggestion: undefined,
  },
  routineAmbiguous: { kind: 'routineAmbiguous', signatures: [] },
  columnNotFound: { kind: 'columnNotFound', column: 'a', relation: 'b', suggestion: undefined },
  relationNotFound: { kind: 'relationNotFound', relation: RELATION, suggestion: undefined },
  secretMissing: { kind: 'secretMissing' },
  tokenInvalid: { kind: 'tokenInvalid', message: '', details: undefined },
  anonymousDisabled: { kind: 'anonymousDisabled' },
  issuerKeysMissing: { kind: 'issuerKeysMissing', retryAfter: 2 },
  claimsInvalid: { kind: 'claimsInvalid', message: '' },
  tooManyLiveRows: { kind: 'tooManyLiveRows', maximum: 1, option: '' },
  liveRowsTooLong: { kind: 'liveRowsTooLong', maxBytes: 1, option: 'live-max-bytes' },
  notWatchable: { kind: 'notWatchable', details: '' },
  channelRefused: { kind: 'channelRefused', reason: '' },
};

function reportOf(sqlstate: string): ApiError {
  return { kind: 'database', report: { sqlstate, message: '', detail: undefined, hint: undefined } };
}

function describe(error: ApiError): string {
  const { code, status } = describeError(error, CONTEXT);
  return `${code} ${status}`;
}

/** Returns `SVC129 413` from the first two cells of each row. */
async function readRows(pattern: RegExp): Promise<readonly string[]> {
  const text = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  return [...text.matchAll(pattern)].flatMap(([, codes = '', statuses = '']) =>
    [...codes.matchAll(/`([^`]+)`/gu)].flatMap(([, code]) => statuses.split(', ').map((status) => `${code} ${status}`)),
  );
}

test('lists every service error code with its status, and no others', async () => {
  const statuses = [400, 408, 413, 414, 431] as const;
  const limits = statuses.map((status): ApiError => ({ kind: 'limitExceeded', limit: '', status }));
  const errors = [...Object.values(SAMPLES), ...limits, reportOf('SVC00')];
  expect(new Set(await readRows(/^\| (`SVC\w+`) \| ([^|]+) \|/gmu))).toStrictEqual(new Set(errors.map(describe)));
});

test('lists the right status for each SQLSTATE and class with a fixed status', async () => {
  const rows = await readRows(/^\| ((?:`[0-9A-Z]{2}(?:…|\w{3})`(?:, )?)+) \| (\d{3}) \|/gmu);
  expect(rows.length).toBeGreaterThan(30);
  const known = rows.filter((row) => !row.startsWith('22023'));
  const listed = known.map((row) => row.replace('…', '999'));
  expect(listed).toStrictEqual(listed.map((row) => describe(reportOf(row.slice(0, 5)))));
});
