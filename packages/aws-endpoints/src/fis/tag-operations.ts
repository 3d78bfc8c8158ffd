import { experimentNotFound } from './errors.ts';
import type { Experiments } from './experiments.ts';
import { experimentArn, templateArn } from './on-the-wire.ts';
import type { ExperimentTags } from './template.ts';

type TagRequest = {
  readonly resourceArn?: string;
  readonly tags?: ExperimentTags;
  readonly tagKeys?: readonly string[];
};

type TaggedResource = { readonly tags: ExperimentTags; readonly keep: (tags: ExperimentTags) => unknown };

function findTaggedResource(fis: Experiments, arn = ''): TaggedResource {
  const template = [...fis.templates.values()].find(({ id }) => templateArn(fis, id) === arn);
  if (template !== undefined)
    return { tags: template.tags, keep: (tags) => fis.templates.set(template.id, { ...template, tags }) };
  const experiment = fis.all().find(({ id }) => experimentArn(fis, id) === arn);
  if (experiment !== undefined) return { tags: experiment.tags, keep: (tags) => fis.keep({ ...experiment, tags }) };
  throw experimentNotFound('Resource', arn);
}

export const listExperimentTags = (fis: Experiments, { resourceArn }: TagRequest): object => ({
  tags: findTaggedResource(fis, resourceArn).tags,
});

export function tagExperiment(fis: Experiments, { resourceArn, tags = {} }: TagRequest): object {
  const found = findTaggedResource(fis, resourceArn);
  found.keep({ ...found.tags, ...tags });
  return {};
}

/** Removes the keys that are given, or all tags. */
export function untagExperiment(fis: Experiments, { resourceArn, tagKeys }: TagRequest): object {
  const found = findTaggedResource(fis, resourceArn);
  const left = Object.entries(found.tags).filter(([key]) => tagKeys !== undefined && !tagKeys.includes(key));
  found.keep(Object.fromEntries(left));
  return {};
}
