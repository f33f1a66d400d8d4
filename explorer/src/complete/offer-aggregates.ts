// Suggests aggregates, and what follows a column of an order.
import { hasGroupAggregates, type Offer, type OfferContext } from './offer.ts';
import { offerWords, type Word } from './offer-words.ts';
import type { Spot } from './spot.ts';

type SpotOf<K extends Spot['kind']> = Extract<Spot, { kind: K }>;

const AGGREGATES: readonly Word[] = [
  ['count()', 'number of values'],
  ['sum()', 'sum of the values'],
  ['avg()', 'average of the values'],
  ['min()', 'smallest value'],
  ['max()', 'largest value'],
];

const FURTHER_AGGREGATES: readonly Word[] = [
  ['count(distinct)', 'number of different values'],
  ['median()', 'median of the values'],
  ['stddev()', 'standard deviation'],
  ['variance()', 'variance'],
  ['bool_and()', 'whether all values are true'],
  ['bool_or()', 'whether a value is true'],
  ['array_agg()', 'array of the values'],
];

function aggregatesOf(context: OfferContext): readonly Word[] {
  return hasGroupAggregates(context) ? [...AGGREGATES, ...FURTHER_AGGREGATES] : AGGREGATES;
}

export function offerAggregates(context: OfferContext): Offer {
  if (context.index.document.features.aggregates) return offerWords('aggregate', aggregatesOf(context));
  return { options: [], hint: 'Aggregates are disabled on this server' };
}

const DIRECTIONS: readonly Word[] = [
  ['asc', 'smallest first'],
  ['desc', 'largest first'],
];
const NULLS: readonly Word[] = [
  ['nullsfirst', 'nulls first'],
  ['nullslast', 'nulls last'],
];

/** Suggests directions and, after a column, aggregates to order groups by. */
export function offerDirections({ hasDirection, takesAggregate }: SpotOf<'direction'>, context: OfferContext): Offer {
  const { options } = offerWords('keyword', hasDirection ? NULLS : [...DIRECTIONS, ...NULLS]);
  const aggregates = takesAggregate && hasGroupAggregates(context) ? aggregatesOf(context) : [];
  return { options: [...options, ...offerWords('aggregate', aggregates).options] };
}
