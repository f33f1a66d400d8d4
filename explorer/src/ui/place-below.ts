// Positions an element of the top layer below its anchor, or above if there is no room, within the window.

const GAP_PX = 4;
const MARGIN_PX = 8;

export function placeBelow(element: HTMLElement, anchor: HTMLElement): void {
  const from = anchor.getBoundingClientRect();
  const size = element.getBoundingClientRect();
  const roomBelow = window.innerHeight - from.bottom;
  const isAbove = roomBelow < size.height + GAP_PX + MARGIN_PX && from.top > roomBelow;
  const top = isAbove ? from.top - size.height - GAP_PX : from.bottom + GAP_PX;
  const left = Math.min(from.left, window.innerWidth - size.width - MARGIN_PX);
  element.style.top = `${Math.max(MARGIN_PX, top)}px`;
  element.style.left = `${Math.max(MARGIN_PX, left)}px`;
}
