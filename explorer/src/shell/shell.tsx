// The whole page: what is on the left, on top and in the middle.
import type { VNode } from 'preact';

export function Shell(): VNode {
  return <main>Rowhouse</main>;
}
