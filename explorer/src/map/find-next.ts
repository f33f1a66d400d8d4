// Finds the table that an arrow key moves to: the nearest one in that direction.
import type { DrawnTable } from './drawing.ts';
import { middleOf, type Point } from './geometry.ts';

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};
/** Weight of the distance perpendicular to the direction. */
const OFF_AXIS_WEIGHT = 3;

/** @returns undefined for other keys, or if there is no table in that direction */
export function findNext(tables: readonly DrawnTable[], name: string, key: string): DrawnTable | undefined {
  if (key === 'Home') return tables[0];
  if (key === 'End') return tables.at(-1);
  const direction = DIRECTIONS[key];
  const from = tables.find(({ table }) => table.name === name);
  if (direction === undefined || from === undefined) return undefined;
  const start = middleOf(from.place);
  let nearest: DrawnTable | undefined;
  let least = Infinity;
  for (const each of tables) {
    const { x, y } = middleOf(each.place);
    const ahead = (x - start.x) * direction.x + (y - start.y) * direction.y;
    const aside = Math.abs((x - start.x) * direction.y) + Math.abs((y - start.y) * direction.x);
    const distance = ahead + OFF_AXIS_WEIGHT * aside;
    if (each === from || ahead <= 0 || distance >= least) continue;
    nearest = each;
    least = distance;
  }
  return nearest;
}
