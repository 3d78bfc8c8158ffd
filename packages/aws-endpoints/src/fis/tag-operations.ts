import { fisNotFound } from './errors.ts';
import type { Experiments } from './experiments.ts';
import { experimentArn, templateArn } from './on-the-wire.ts';
import type { FisTags } from './template.ts';

type TagRequest = { readonly resourceArn?: string; readonly tags?: FisTags; readonly tagKeys?: readonly string[] };

type TaggedResource = { readonly tags: FisTags; readonly keep: (tags: FisTags) => unknown };

function findTaggedResource(fis: Experiments, arn = ''): TaggedResource {
  const template = [...fis.templates.values()].find(({ id }) => templateArn(fis, id) === arn);
  if (template !== undefined)
    return { tags: template.tags, keep: (tags) => fis.templates.set(template.id, { ...template, tags }) };
  const experiment = fis.all().find(({ id }) => experimentArn(fis, id) === arn);
  if (experiment !== undefined) return { tags: experiment.tags, keep: (tags) => fis.keep({ ...experiment, tags }) };
  throw fisNotFound('Resource', arn);
}

export const listFisTags = (fis: Experiments, { resourceArn }: TagRequest): object => ({
  tags: findTaggedResource(fis, resourceArn).tags,
});

export function tagFisResource(fis: Experiments, { resourceArn, tags = {} }: TagRequest): object {
  const found = findTaggedResource(fis, resourceArn);
  found.keep({ ...found.tags, ...tags });
  return {};
}

/** Removes the keys that are given, or all tags. */
export function untagFisResource(fis: Experiments, { resourceArn, tagKeys }: TagRequest): object {
  const found = findTaggedResource(fis, resourceArn);
  const left = Object.entries(found.tags).filter(([key]) => tagKeys !== undefined && !tagKeys.includes(key));
  found.keep(Object.fromEntries(left));
  return {};
}
