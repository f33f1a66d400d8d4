// Why a request with an idempotency key is not executed.
export type KeyError =
  /** Another request with the same idempotency key has not ended. */
  | { readonly kind: 'keyInProgress' }
  /** The write with this idempotency key was done, but its response was too long to be stored. */
  | { readonly kind: 'responseNotKept' }
  | { readonly kind: 'keyUsed' }
  /** The keys of the subject take as many bytes as they may. */
  | { readonly kind: 'keysFull' };
