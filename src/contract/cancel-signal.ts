/**
 * The subset of `AbortSignal` that requests use. Creating and observing a real `AbortSignal` costs a tenth of a small
 * request, so each request gets a cheaper implementation, which supports one listener at a time.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
