// What a session is made of.
import type { Socket } from 'node:net';
import type { Liveness } from '../connect/connection-settings.ts';
import type { CancelKey } from '../connect/driver.ts';
import type { HostTarget } from '../connect/host-targets.ts';

export interface PlanOptions {
  /** Whether statements are prepared by name (`operating.md` §6.8). */
  readonly isPreparing: boolean;
  /** Whether to discard plans when the role changes: PostgreSQL reuses function plans across roles. */
  readonly isDiscardingPlans: boolean;
}

export interface SessionOptions extends PlanOptions {
  readonly socket: Socket;
  readonly cancelKey: CancelKey | undefined;
  readonly target: HostTarget;
  readonly liveness: Liveness;
  /** Whether the connection understands simple queries only; false by default. */
  readonly isReplicating?: boolean;
}
