import { integer, list, object, optional, rule, text } from '../../schema/build.ts';
import { ageText, httpText } from './rollout-values.ts';

const placeSchema = (description: string) =>
  object(
    {
      ssmParameter: optional(text({ description: 'Name of an SSM parameter.', minLength: 1, maxLength: 1011 })),
      configMap: optional(
        object({
          namespace: text({ minLength: 1, maxLength: 63 }),
          name: text({ minLength: 1, maxLength: 253 }),
        }),
      ),
      url: optional(httpText('An object that is read and written over HTTP.')),
    },
    {
      description,
      rules: [
        rule(
          'a place is exactly one of ssmParameter, configMap and url',
          '[has(self.ssmParameter), has(self.configMap), has(self.url)].filter(given, given).size() == 1',
        ),
      ],
    },
  );

export const promotionSchema = object(
  {
    publish: optional(placeSchema('Where what this policy has proven is published.')),
    require: optional(
      list(
        object({
          from: placeSchema('Where another cluster has published what it has proven.'),
          completedFor: optional(ageText('How long the rollout there has been complete.')),
          minimumNodeHours: optional(
            integer('int64', { description: 'How long nodes have run it there.', minimum: 0 }),
          ),
        }),
        { description: 'An image is wanted here when every one of these has proven it.', maxItems: 10 },
      ),
    ),
    neighbours: optional(
      list(placeSchema('Where a cluster of notTogetherWith publishes. Nothing is required of it.'), {
        description: 'Further records that are read.',
        maxItems: 20,
      }),
    ),
    notTogetherWith: optional(
      list(text({ minLength: 1, maxLength: 253 }), {
        description: 'Clusters whose waves never run at the same time as one of this policy.',
        maxItems: 20,
        listType: 'set',
      }),
    ),
  },
  {
    description: 'How images go from cluster to cluster.',
    rules: [
      rule(
        'notTogetherWith is read from the records of neighbours and require, which are missing',
        '!has(self.notTogetherWith) || has(self.require) || has(self.neighbours)',
      ),
    ],
  },
);
