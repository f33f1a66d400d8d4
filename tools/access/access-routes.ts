// The routes with which the explorer of `rowhouse dev` asks who may do what, and why a role sees a row or not. Each
// question opens its own connection, because its transaction assumes other roles.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import {
  ACCESS_PATHS,
  type AccessDocument,
  ROW_ACTIONS,
  type RowQuestion,
} from '../../src/contract/access-document.ts';
import type { HttpRequest, HttpResponse } from '../../src/contract/http.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { ExtraRoute } from '../../src/http/exchange/extra-routes.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { readInTransaction, type TransactionQuery } from '../../src/postgres/session/query.ts';
import { renderPreRequest } from '../../src/sql/render-script.ts';
import { decodeUtf8, isJsonObject, type JsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { loadVerificationKeys } from '../../src/service/tokens/jwt-keys.ts';
import { type AccessKeys, checkAccess, LOOPBACK_NAMES } from './access-guard.ts';
import { explainRow, type Runs } from './explain-row.ts';
import { readAccess } from './policies/read-access.ts';

export interface AccessOptions {
  /** The key that `rowhouse dev` printed; undefined: there are no routes. */
  readonly key: string | undefined;
  readonly config: () => AppConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Connection string of a role that owns the tables; undefined: the login role inspects them. */
  readonly inspectUri?: string | undefined;
}

type Answer = (body: JsonObject, config: AppConfig, runs: Runs) => Promise<Result<string, ApiError>>;

export function createAccessRoutes(options: AccessOptions): readonly ExtraRoute[] {
  const keys = options.key === undefined ? undefined : loadVerificationKeys(Buffer.from(options.key));
  if (keys?.ok !== true) return [];
  const withKeys = { ...options, keys: keys.value };
  return [
    createRoute(ACCESS_PATHS.matrix, describeSchema, withKeys),
    createRoute(ACCESS_PATHS.row, answerRow, withKeys),
  ];
}

function createRoute(path: string, answer: Answer, options: AccessOptions & Pick<AccessKeys, 'keys'>): ExtraRoute {
  return {
    // Below `/explorer/`, where no table or function has a path.
    admits: (request) => request.path === path,
    async answer(request, client) {
      const config = options.config();
      const hosts = [...LOOPBACK_NAMES, config.serverHost];
      const refusal = checkAccess(request, client, { hosts, keys: options.keys });
      if (refusal !== undefined) return fail(refusal);
      const body = parseBody(request, config);
      if (!body.ok) return body;
      const text = await ask(options, (runs) => answer(body.value, config, runs));
      return text.ok ? ok(buildResponse(text.value)) : text;
    },
  };
}

/** Every question names a schema of the API. */
function parseBody({ body }: HttpRequest, { dbSchemas }: AppConfig): Result<JsonObject, ApiError> {
  const question = parseJsonObject(decodeUtf8(body) ?? '');
  const schema = question?.['schema'];
  if (question === undefined || typeof schema !== 'string')
    return fail({ kind: 'invalidBody', message: 'The body must be a JSON object with a schema' });
  return dbSchemas.includes(schema) ? ok(question) : fail({ kind: 'schemaNotExposed', schema, exposed: dbSchemas });
}

function ask<T>(
  { config, environment, inspectUri }: AccessOptions,
  work: (runs: Runs) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const login = { environment, connectionString: config().dbUri };
  if (inspectUri === undefined) return readOnce(login, (run) => work({ asLogin: run, asInspector: run }));
  const inspector = { environment, connectionString: inspectUri };
  return readOnce(login, (asLogin) => readOnce(inspector, (asInspector) => work({ asLogin, asInspector })));
}

/** Runs the work in a read-only transaction of a new connection. */
async function readOnce<T>(
  { connectionString, environment }: Pick<AccessOptions, 'environment'> & { readonly connectionString: string },
  work: (run: TransactionQuery) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const connected = await connect({ connectionString, environment, product: PRODUCT, isPreparing: false });
  if (!connected.ok) return connected;
  try {
    return await readInTransaction(connected.value, work);
  } finally {
    await connected.value.close();
  }
}

const describeSchema: Answer = (body, config, { asLogin }) =>
  readAccess({ schema: String(body['schema']), relation: undefined }, config, asLogin);

const answerRow: Answer = async (body, config, runs) => {
  const question = parseQuestion(body);
  if (!question.ok) return question;
  const read = await readAccess(question.value, config, runs.asLogin);
  if (!read.ok) return read;
  const document: AccessDocument = JSON.parse(read.value);
  const { dbExtraSearchPath: extraSearchPath, appSettings, dbPreRequest } = config;
  const settings = { extraSearchPath, appSettings, preRequest: dbPreRequest && renderPreRequest(dbPreRequest) };
  const explained = await explainRow(question.value, { document, settings }, runs);
  return explained.ok ? ok(JSON.stringify(explained.value)) : explained;
};

const QUESTION =
  'A question about a row has the members schema, relation, key (an object of texts, not empty), role, claims and action (select, update or delete); one about a row to insert has the action insert, and proposed (an object) instead of a key';

function parseQuestion({ schema, relation, key, role, ...rest }: JsonObject): Result<RowQuestion, ApiError> {
  const { claims = {}, action: wanted = 'select', proposed = {} } = rest;
  const action = ROW_ACTIONS.find((one) => one === wanted);
  const isComplete = typeof schema === 'string' && typeof relation === 'string' && typeof role === 'string';
  if (!isComplete || !isJsonObject(claims) || action === undefined || !isJsonObject(proposed))
    return fail({ kind: 'invalidBody', message: QUESTION });
  const question = { schema, relation, role, claims, action };
  if (action === 'insert') return ok({ ...question, key: {}, proposed });
  return isKey(key) ? ok({ ...question, key, proposed: {} }) : fail({ kind: 'invalidBody', message: QUESTION });
}

function isKey(value: unknown): value is RowQuestion['key'] {
  if (!isJsonObject(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every((one) => typeof one === 'string');
}

function buildResponse(text: string): HttpResponse {
  return {
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: Buffer.from(text),
  };
}
