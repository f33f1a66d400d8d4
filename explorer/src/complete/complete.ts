// Completes and describes the text at a position of a request URL.
import type { SchemaIndex } from '../schema/schema-index.ts';
import { splitUrl } from '../url-state/split-url.ts';
import { readPath } from './level.ts';
import { locateSpot } from './locate-spot.ts';
import type { CompletionOption, Offer, OfferContext } from './offer.ts';
import { offerAggregates, offerDirections } from './offer-aggregates.ts';
import {
  offerColumnNames,
  offerConditions,
  offerHints,
  offerOrderNames,
  offerParameters,
  offerPaths,
  offerSelectNames,
} from './offer-names.ts';
import {
  offerCasts,
  offerLanguages,
  offerMeasures,
  offerOperators,
  offerQuantifiers,
  offerValues,
} from './offer-words.ts';
import { rankOptions } from './rank.ts';
import type { Spot } from './spot.ts';

/** An option replaces the text between `from` and `to`. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  /** Sorted, best first. */
  readonly options: readonly CompletionOption[];
  /** Description of the expected text, if the options cannot be listed. */
  readonly hint?: string | undefined;
}

/** @returns undefined if there is nothing to suggest */
export function complete(url: string, offset: number, index: SchemaIndex): Completion | undefined {
  const spot = locateSpot(url, offset);
  if (spot === undefined) return undefined;
  const { from, to, typed } = spot;
  const { options, hint } = offerAt(spot, url, index);
  const present = url.slice(from, to);
  const ranked = rankOptions(options, typed).filter(({ apply }) => apply !== present);
  return ranked.length === 0 && hint === undefined ? undefined : { from, to, options: ranked, hint };
}

export interface Description {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly detail: string;
}

/** @returns undefined for unknown text */
export function describeAt(url: string, offset: number, index: SchemaIndex): Description | undefined {
  const spot = locateSpot(url, offset);
  if (spot === undefined) return undefined;
  const { from, to, whole } = spot;
  const { options, hint } = offerAt(spot, url, index);
  const found = options.find(({ label }) => label === whole || label === `${whole}()`);
  if (found !== undefined) return { from, to, title: found.label, detail: found.detail };
  if (hint === undefined) return undefined;
  return { from, to, title: spot.kind === 'value' ? spot.field.column : whole, detail: hint };
}

function offerAt(spot: Spot, url: string, index: SchemaIndex): Offer {
  const { path, parameters } = splitUrl(url);
  const context: OfferContext = {
    index,
    path: readPath(path.text, index),
    given: new Set(parameters.filter(({ name }) => name.from !== spot.from).map(({ name }) => name.text)),
  };
  switch (spot.kind) {
    case 'path':
      return offerPaths(spot, context, url);
    case 'parameter':
      return offerParameters(spot, context);
    case 'selectName':
      return offerSelectNames(spot, context);
    case 'hint':
      return offerHints(spot, context);
    case 'orderName':
      return offerOrderNames(spot, context);
    case 'condition':
      return offerConditions(spot, context);
    case 'operator':
      return offerOperators(spot, context);
    case 'value':
      return offerValues(spot, context);
    case 'cast':
      return offerCasts();
    case 'aggregate':
      return offerAggregates(context);
    case 'direction':
      return offerDirections(spot, context);
    case 'quantifier':
      return offerQuantifiers(spot, context);
    case 'columnName':
      return offerColumnNames(spot, context);
    case 'measure':
      return offerMeasures(spot, context);
    case 'language':
      return offerLanguages();
    case 'alias':
      return { options: [], hint: 'a name for the response' };
    case 'jsonKey':
      return { options: [], hint: 'a key, or an index starting at 0' };
    case 'count':
      return { options: [], hint: spot.name === 'limit' ? 'maximum number of rows' : 'number of rows to skip' };
  }
}
