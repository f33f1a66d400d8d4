// Computes the document title of a place.
import type { Place } from '../url-state/place.ts';
import { nameAt } from './entries.ts';

export function pageTitle(place: Place): string {
  const about = aboutOf(place);
  return about === '' ? 'Rowhouse' : `${about} · Rowhouse`;
}

function aboutOf(place: Place): string {
  const name = nameAt(place) ?? '';
  switch (place.kind) {
    case 'start':
      return '';
    case 'map':
      return place.focus === undefined ? 'Map' : `Map: ${place.focus}`;
    case 'access':
      return place.focus === undefined ? 'Access' : `Access: ${place.focus}`;
    case 'history':
      return 'History';
    case 'sql':
      return 'SQL';
    case 'record':
      return `Row of ${name}`;
    case 'explain':
      return `Who sees a row of ${name}`;
    case 'reference':
      return `Reference: ${name}`;
    case 'request':
      return name;
  }
}
