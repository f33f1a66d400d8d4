// One difference between two responses. Differences of the same kind and place have the same cause.

export type Difference = { readonly old: string | undefined; readonly new: string | undefined } & Cause;

export type Cause =
  /** A server did not respond, or not completely. */
  | { readonly kind: 'noResponse' }
  | { readonly kind: 'status' }
  | { readonly kind: 'errorCode' }
  | { readonly kind: 'header'; /** In lower case. */ readonly name: string }
  | {
      readonly kind: 'body';
      readonly change: BodyChange;
      /** `[].price`; '' for the whole body. */ readonly place: string;
    };

export type BodyChange =
  | 'value'
  | 'type'
  | 'missingKey'
  | 'addedKey'
  | 'missingItems'
  | 'addedItems'
  | 'order'
  | 'invalidJson'
  | 'text';
