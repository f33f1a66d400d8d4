// The names of aggregate functions in the grammar.

export const AGGREGATES = ['sum', 'avg', 'count', 'max', 'min'] as const;
/** Belong to the extension `aggregates`. */
export const FURTHER_AGGREGATES = ['stddev', 'variance', 'median', 'bool_and', 'bool_or', 'array_agg'] as const;
