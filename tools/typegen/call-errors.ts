// Finds functions that no call can reach. Their result type is the error that the server returns, found by resolving
// overloads like the server.
import type { Routine } from '../../src/catalog/schema-cache.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import type { Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { describeServiceError } from '../../src/errors/error-catalog.ts';
import { resolveRoutine, type ResolvedRoutine } from '../../src/plan/calls/overload.ts';
import type { TypegenContext } from './render-type.ts';
import { renderLiteral } from './typescript.ts';

/** A key that no parameter has, which selects functions that take the whole body. */
const NO_PARAMETER = '\0';

/** Returns undefined if some arguments lead to the function. */
export function findCallError(routine: Routine, context: TypegenContext): string | undefined {
  const all = routine.parameters.map(({ name }) => name);
  const required = routine.parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const outcomes = [required, all, [NO_PARAMETER]].map((names) => resolveCall(routine.name, names, context));
  if (outcomes.some((outcome) => outcome.ok && outcome.value.routine === routine)) return undefined;
  return outcomes.map(renderFailure).find((text) => text !== undefined);
}

/**
 * The error of calling a function of a row by name, since queries select it as a column and its argument is unnamed.
 */
export function findRowCallError(name: QualifiedName, context: TypegenContext): string | undefined {
  return renderFailure(resolveCall(name, [''], context));
}

function resolveCall(
  name: QualifiedName,
  argumentNames: readonly string[],
  { cache }: TypegenContext,
): Result<ResolvedRoutine, ApiError> {
  return resolveRoutine({
    cache,
    visible: undefined,
    name,
    argumentNames,
    method: 'post',
    contentType: 'json',
    singleObject: false,
  });
}

function renderFailure(outcome: Result<ResolvedRoutine, ApiError>): string | undefined {
  if (outcome.ok || outcome.error.kind === 'database') return undefined;
  const { message, details, hint } = describeServiceError(outcome.error, SVC_DIALECT);
  const text = typeof details === 'string' ? details : [message, hint].filter(Boolean).join('. ');
  return `{ error: true } & ${renderLiteral(text)}`;
}
