import {
  definitions,
  record,
  list,
  as,
  definition,
  lamp,
  inTurn,
  lamps,
  custom,
  nested,
  type WorstCase,
} from './requests.ts';

/** Definitions of kinds, and objects of them. */
export const worstDefinitions: readonly WorstCase[] = [
  {
    name: 'custom: a set of texts',
    largest: 150_000,
    run: custom(
      {
        type: 'object',
        properties: { set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
      },
      (size) => ({ set: list(size, (at) => `item-${at}`) }),
    ),
  },
  {
    name: 'custom: items with a key',
    largest: 80_000,
    run: custom(
      {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
        },
      },
      (size) => ({ items: list(size, (at) => ({ name: `item-${at}` })) }),
    ),
  },
  {
    name: 'custom: unique items',
    largest: 150_000,
    run: custom({ type: 'object', properties: { all: { type: 'array', items: { type: 'string' } } } }, (size) => ({
      all: list(size, (at) => `item-${at}`),
    })),
  },
  {
    name: 'custom: members that are pruned',
    largest: 150_000,
    run: custom({ type: 'object', properties: { a: { type: 'string' } } }, (size) => record(size)),
  },
  {
    name: 'custom: values of a wrong type',
    largest: 150_000,
    run: custom({ type: 'object', additionalProperties: { type: 'integer' } }, (size) => record(size)),
  },
  {
    name: 'custom: a rule for each item',
    largest: 150_000,
    run: custom(
      {
        type: 'object',
        properties: {
          all: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: "self != ''" }] } },
        },
      },
      (size) => ({ all: list(size, (at) => `item-${at}`) }),
    ),
  },
  {
    name: 'custom: four nested loops of a rule',
    largest: 150_000,
    run: custom(
      {
        type: 'object',
        properties: { all: { type: 'array', items: { type: 'string' } } },
        'x-kubernetes-validations': [
          { rule: "self.all.all(a, self.all.all(b, self.all.all(c, self.all.all(d, a + b + c + d != ''))))" },
        ],
      },
      (size) => ({ all: list(size, (at) => `item-${at}`) }),
    ),
  },
  {
    name: 'custom: deep nesting',
    largest: 1_500,
    run: custom({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, nested),
  },
  {
    name: 'update: items with a key and a rule that was broken before',
    largest: 40_000,
    run: async (api, size) => {
      const items = (rules: readonly object[]) => ({
        type: 'object',
        properties: {
          a: { type: 'string' },
          items: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string', 'x-kubernetes-validations': rules } },
            },
          },
        },
      });
      const spec = { items: list(size, (at) => ({ name: `item-${at}` })) };
      return inTurn(
        api,
        ['POST', definitions, definition(items([]))],
        ['POST', lamps, lamp(spec)],
        [
          'PATCH',
          `${definitions}/lamps.example.com`,
          definition(items([{ rule: 'self.size() > 100' }])),
          as('merge-patch+json'),
        ],
        ['PATCH', `${lamps}/l`, { spec: { a: 'b' } }, as('merge-patch+json')],
      );
    },
  },
  {
    name: 'definition: properties, and their OpenAPI',
    largest: 40_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', definitions, definition({ type: 'object', properties: record(size, () => ({ type: 'string' })) })],
        ['GET', '/openapi/v3/apis/example.com/v1'],
      ),
  },
];
