// Computes the document title of a place.
import type { Place } from '../url-state/place.ts';
import { nameAt } from './entries.ts';

export function pageTitle(place: Place): string {
  const about = aboutOf(place);
  return about === '' ? 'Rowhouse' : `${about} · Rowhouse`;
}

function aboutOf(place: Place): string {
  if (place.kind === 'start') return '';
  if (place.kind === 'map') return place.focus === undefined ? 'Map' : `Map: ${place.focus}`;
  if (place.kind === 'access') return place.focus === undefined ? 'Access' : `Access: ${place.focus}`;
  if (place.kind === 'history') return 'History';
  if (place.kind === 'sql') return 'SQL';
  const name = nameAt(place) ?? '';
  if (place.kind === 'record') return `Row of ${name}`;
  if (place.kind === 'explain') return `Who sees a row of ${name}`;
  return place.kind === 'reference' ? `Reference: ${name}` : name;
}
