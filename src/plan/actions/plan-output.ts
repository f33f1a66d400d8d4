// Negotiates the format of the response and derives the checks it implies (`writing.md` §12.2, §15.2).
import { ok, type Result } from '../../contract/result.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { Preferences } from '../../request/preferences.ts';
import type { OutcomeCheck } from './action-plan.ts';
import { type EventSubject, negotiate, type Negotiated } from '../negotiation/negotiate.ts';
import type { PlanContext } from './plan-context.ts';
import type { ReadPlan } from '../levels/read-plan.ts';

export interface PlannedOutput {
  readonly negotiated: Negotiated;
  readonly checks: readonly OutcomeCheck[];
  /** The result may have any number of rows and the extension `stream` is enabled. */
  readonly mayStream: boolean;
}

export interface OutputSubject {
  readonly read: ReadPlan;
  /** The relation or function whose own media type handlers apply. */
  readonly element: QualifiedName;
  readonly elementKind: 'relation' | 'routine';
  /** Whether the result may have any number of rows. */
  readonly isSet: boolean;
  /** What a stream of events would report; undefined if there can be none. */
  readonly events?: EventSubject | undefined;
}

export function planOutput(
  request: ApiRequest,
  context: PlanContext,
  subject: OutputSubject,
): Result<PlannedOutput, ApiError> {
  const { select, embeds } = subject.read;
  const mayStream = subject.isSet && context.config.extensions.stream;
  const negotiated = negotiate(
    request.accepted,
    {
      element: subject.element,
      elementKind: subject.elementKind,
      isDefaultSelect: select.length === 1 && select[0]?.kind === 'all' && embeds.length === 0,
      handlers: context.cache.mediaHandlers,
      planEnabled: context.config.dbPlanEnabled,
      lacksGeoJson: context.dialect.hasHints && !context.cache.hasGeoJson,
      extensions: context.config.extensions,
      isSet: subject.isSet,
      events: subject.events,
    },
    context.dialect,
  );
  if (!negotiated.ok) return negotiated;
  const isSingular = negotiated.value.format.kind === 'object' && negotiated.value.plan === undefined;
  return ok({ negotiated: negotiated.value, checks: isSingular ? [{ kind: 'singular' }] : [], mayStream });
}

export function checkStrict({ handling, invalid }: Preferences): ApiError | undefined {
  return handling === 'strict' && invalid.length > 0 ? { kind: 'invalidPreferences', invalid } : undefined;
}
