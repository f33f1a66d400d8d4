// Events of the pool, for the diagnostic log lines of `operating.md` §10.5.

export type PoolEvent =
  /** A connection is requested, or provided. */
  | { readonly kind: 'acquiring' }
  | { readonly kind: 'acquired' }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'flushed' }
  | { readonly kind: 'connecting'; readonly connection: number }
  | { readonly kind: 'available'; readonly connection: number; readonly reason: AvailableReason }
  | { readonly kind: 'used'; readonly connection: number }
  | { readonly kind: 'terminated'; readonly connection: number; readonly reason: TerminationReason };

/** Wording of the diagnostic log lines. */
export type AvailableReason = 'connection establishment' | 'session success' | 'session failure';

export type TerminationReason = 'max lifetime' | 'max idletime' | 'release' | 'network error' | 'init failure';
