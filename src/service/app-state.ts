// The current configuration, schema cache and role settings. Each is replaced as a whole, so every request sees one
// consistent snapshot.
import { createHash } from 'node:crypto';
import { findSentToken } from '../auth/authenticate.ts';
import { findReplacement, parseRolePath, type RolePath } from '../auth/role-path.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { AppConfig } from '../config/table/app-config.ts';
import type { RoleSettings } from '../config/resolve/role-settings.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ExplorerFiles } from '../contract/explorer-file.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import { ok } from '../contract/result.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import type { ScriptRunner } from '../postgres/pool/pool.ts';
import { PlanCache } from '../prepare/plan-cache.ts';
import {
  edgeSettingsOf,
  planningOf,
  type RequestContext,
  requestSettingsOf,
  type Seams,
  tokenCookieOf,
} from '../serve/request-context.ts';
import { compileSeams, onlyOf, type OwnCalls, type RequestPart } from '../serve/extension.ts';
import { findExplorerFiles } from './explorer-files.ts';
import { VersionedReads } from './database/versioned-reads.ts';
import { createPause } from './scheduling/waiting.ts';
import type { JwtVerifier } from './tokens/jwt-verifier.ts';
import { VisibleNamesFinder } from './schema-cache/visible-names-finder.ts';

export interface AppParts {
  readonly product: Product;
  readonly dialect: Dialect;
  readonly pool: Pick<ScriptRunner, 'runScript'>;
  readonly database: Pick<ScriptRunner, 'runScript'>;
  readonly verifier: JwtVerifier;
  /** Called when the configuration or the schema cache has been replaced. */
  readonly onReplaced: () => void;
  readonly retryAfter: () => number;
  readonly hasConsole?: boolean | undefined;
  readonly extensions: readonly RequestPart[];
}

export class AppState {
  /** Replaced when the configuration is reloaded. */
  config: AppConfig;
  readonly #parts: AppParts;
  readonly #pause = createPause();
  #served: ServedConfig;
  /** For the requests that an extension makes itself. */
  readonly #ownCalls: OwnCalls | undefined;
  /** Undefined until the first of these requests. */
  #ownServed: ServedConfig | undefined;
  #rolePath: RolePath;
  #explorer: ExplorerFiles | undefined;
  #cache: SchemaCache | undefined;
  #reads: VersionedReads;
  #names: VisibleNamesFinder;
  #roleSettings: ReadonlyMap<string, RoleSettings> = new Map();

  constructor(config: AppConfig, parts: AppParts) {
    this.#parts = parts;
    this.#ownCalls = onlyOf(parts.extensions, 'calls');
    this.config = config;
    this.#rolePath = requireRolePath(config);
    this.#served = this.#serve(config);
    this.#explorer = findExplorer(config, parts);
    this.#names = this.#createFinder();
    this.#reads = new VersionedReads(parts.database);
    parts.verifier.apply(config);
  }

  get cache(): SchemaCache | undefined {
    return this.#cache;
  }

  get seams(): Seams {
    return this.#served.seams;
  }

  /** Returns the recommended replacement of `jwt-role-claim-key`, or undefined if the value is up to date. */
  get rolePathReplacement(): string | undefined {
    return findReplacement(this.#rolePath);
  }

  applyConfig(config: AppConfig, roleSettings: ReadonlyMap<string, RoleSettings>): void {
    this.config = config;
    this.#rolePath = requireRolePath(config);
    this.#served = this.#serve(config);
    this.#ownServed = undefined;
    this.#explorer = findExplorer(config, this.#parts);
    this.#reads = new VersionedReads(this.#parts.database);
    this.#names = this.#createFinder();
    this.#roleSettings = roleSettings;
    this.#parts.verifier.apply(config);
    this.#parts.onReplaced();
  }

  applyCache(cache: SchemaCache): void {
    this.#cache = cache;
    this.#served = this.#serve(this.config);
    this.#ownServed = undefined;
    this.#reads = new VersionedReads(this.#parts.database);
    this.#names = this.#createFinder();
    this.#parts.onReplaced();
  }

  /** Resolves when the token of a request can be verified; undefined if that is now. */
  awaitKeys(request: HttpRequest): Promise<void> | undefined {
    const { verifier } = this.#parts;
    return verifier.hasProvider ? verifier.awaitKeys(findSentToken(request, this.#served.auth.cookie)) : undefined;
  }

  /**
   * Returns the context of one request.
   *
   * @param signal aborts when the client disconnects
   */
  snapshot(signal?: CancelSignal, request?: Pick<HttpRequest, 'isOwnCall' | 'mount'>): RequestContext {
    const { product, dialect, retryAfter } = this.#parts;
    const ownCalls = request?.isOwnCall === true ? this.#ownCalls : undefined;
    const { config, cache, plans, planning, seams, settings, edge, auth } =
      ownCalls === undefined ? this.#served : (this.#ownServed ??= this.#serve(ownCalls.configOf(this.config)));
    const reads = this.#reads;
    return {
      product,
      dialect,
      config,
      cache,
      plans,
      planning,
      seams,
      settings,
      edge,
      auth,
      roleSettings: this.#roleSettings,
      runScript:
        ownCalls === undefined
          ? (script) => reads.runScript(script, signal)
          : async (script) => {
              const ran = await reads.runScript(script, signal);
              return ran.ok ? ok(ownCalls.read(ran.value)) : ran;
            },
      findVisibleNames: this.#names.find,
      signal,
      retryAfter,
      clock,
      hash,
      pause: this.#pause,
      explorer: this.#explorer,
      basePath: request?.mount?.basePath,
    };
  }

  #serve(config: AppConfig): ServedConfig {
    const { product, dialect, verifier, extensions } = this.#parts;
    const cache = this.#cache;
    const seams = compileSeams(extensions, { config, cache, dialect });
    const settings = requestSettingsOf({ dialect, config, seams });
    const cookie = tokenCookieOf(config);
    return {
      config,
      cache,
      plans: new PlanCache(),
      planning: cache && planningOf({ settings, dialect, config, seams }, cache),
      seams,
      settings,
      edge: edgeSettingsOf({ product, config, cookie }),
      auth: {
        verifyToken: verifier.verifyToken,
        rolePath: this.#rolePath,
        anonymousRole: config.dbAnonRole,
        audience: config.jwtAud,
        issuer: config.jwtIssuer,
        cookie,
        get now() {
          return Math.floor(Date.now() / 1000);
        },
      },
    };
  }

  #createFinder(): VisibleNamesFinder {
    const { dbSchemas, dbPoolAcquisitionTimeout } = this.config;
    return new VisibleNamesFinder({
      pool: this.#parts.pool,
      schemas: dbSchemas,
      timeoutMs: dbPoolAcquisitionTimeout * 1000,
      clock,
      pause: this.#pause,
    });
  }
}

/** A configuration, what is derived from it, and the plans made under it and the schema cache. */
type ServedConfig = Pick<
  RequestContext,
  'config' | 'cache' | 'plans' | 'planning' | 'seams' | 'settings' | 'edge' | 'auth'
>;

function clock(): number {
  return performance.now();
}

function hash(parts: readonly (string | Uint8Array)[], encoding: 'base64' | 'base64url' = 'base64'): string {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest(encoding);
}

/** A database function that serves `/` takes precedence over the explorer. */
function findExplorer(
  { serverExplorer, dbRootSpec }: AppConfig,
  { hasConsole }: Pick<AppParts, 'hasConsole'>,
): ExplorerFiles | undefined {
  const files = serverExplorer && dbRootSpec === undefined ? findExplorerFiles() : undefined;
  return files !== undefined && hasConsole ? { ...files, hasConsole } : files;
}

/** Cannot throw for a valid configuration. */
function requireRolePath(config: AppConfig): RolePath {
  const path = parseRolePath(config.jwtRoleClaimKey);
  if (!path.ok) throw new Error(path.error);
  return path.value;
}
