import { readOwn } from '@nodewright/apis';
import type { PolicyRule } from './rbac.ts';

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

const verbSets: Readonly<Record<string, string>> = {
  read: 'get list watch',
  write: 'create delete deletecollection patch update',
  all: 'create delete deletecollection get list patch update watch',
};

const verbsOf = (text: string): readonly string[] =>
  wordsOf(text).flatMap((word) => wordsOf(readOwn(verbSets, word) ?? word));

/**
 * A rule in short form.
 * @param verbs verbs with spaces between them; `read`, `write` and `all` stand for several
 * @param groups API groups with spaces between them; `core` is the group without a name
 */
export function resourceRule(verbs: string, groups: string, resources: string, names = ''): PolicyRule {
  const apiGroups = wordsOf(groups).map((group) => (group === 'core' ? '' : group));
  const resourceNames = wordsOf(names);
  return {
    verbs: verbsOf(verbs),
    apiGroups,
    resources: wordsOf(resources),
    ...(resourceNames.length > 0 && { resourceNames }),
  };
}

export const pathRule = (paths: string): PolicyRule => ({ verbs: ['get'], nonResourceURLs: wordsOf(paths) });

export const writesEvents = resourceRule('create patch update', 'core events.k8s.io', 'events');
