import { choice, type Infer, list, object, optional, text } from '../../schema/build.ts';

/** The image of one variant of one source: an EC2NodeClass or a NodeGroup. */
export const variantImageSchema = object({
  source: text({ description: 'Whose image it is: EC2NodeClass/NAME or NodeGroup/NAME.', maxLength: 280 }),
  variant: text({ description: 'Family, architecture and accelerator: AL2023/amd64/none.', maxLength: 128 }),
  image: text({ description: 'Its id.', maxLength: 128 }),
  name: optional(text({ description: 'Its name in EC2.', maxLength: 512 })),
  release: optional(text({ description: 'The release that it belongs to.', maxLength: 128 })),
});

export type VariantImage = Infer<typeof variantImageSchema>;

export const imageSetSchema = (description: string) =>
  list(variantImageSchema, { description, maxItems: 500, mapKeys: ['source', 'variant'] });

/** A wanted image that no rollout leads to yet. */
export const imageHoldSchema = object({
  source: text({ description: 'Whose image it is.', maxLength: 280 }),
  variant: text({ maxLength: 128 }),
  image: text({ description: 'Its id.', maxLength: 128 }),
  reason: choice(['notProvenUpstream', 'haltedUpstream', 'failedBefore'], { description: 'What keeps it.' }),
  because: text({ description: 'Why, in words.', maxLength: 1024 }),
});

export const rolloutCauseSchema = choice(
  ['NewRelease', 'SpecChanged', 'ControlPlane', 'Rule', 'Rollback', 'Promotion'],
  { description: 'Why the wanted images moved.' },
);

export type RolloutCause = Infer<typeof rolloutCauseSchema>;
