import {
  labelSelectorPredicate,
  nodewrightAnnotations,
  selectableLabels,
  type EC2NodeClass,
  type NodePool,
  type NodeRolloutPolicy,
} from '@nodewright/apis';
import { followsLatest } from '@nodewright/engine';
import type { LintProblem, LintRule } from '../lint-rule.ts';
import type { ManifestSet } from '../manifest-set.ts';
import { hasWildcard, writtenTerms, type WrittenTerm } from './image-terms.ts';

export const movingImageRule: LintRule = {
  name: 'image-without-minimum-age',
  severity: 'warning',
  about:
    'A term that follows new images takes them on the day they come out, for all nodes: no minimum age and no NodeRolloutPolicy stands between.',
  check: (manifests) =>
    manifests.nodeClasses
      .filter(({ metadata }) => metadata.annotations?.[nodewrightAnnotations.minimumAgeDuration] === undefined)
      .filter((nodeClass) => !isGoverned(nodeClass, manifests))
      .flatMap((nodeClass) => writtenTerms(nodeClass).flatMap((written) => movingProblem(nodeClass, written) ?? [])),
};

function movingProblem(object: EC2NodeClass, { term, path }: WrittenTerm): LintProblem | undefined {
  if (term.minimumAgeDuration !== undefined) return undefined;
  if (term.alias !== undefined && followsLatest(term.alias))
    return {
      object,
      path: [...path, 'alias'],
      value: term.alias,
      why: 'a release reaches every pool of this class within hours of its publication',
      instead:
        'add minimumAgeDuration: 10d beside it, pin a release, or write a NodeRolloutPolicy (five lines are enough)',
    };
  if (term.name !== undefined && hasWildcard(term.name))
    return {
      object,
      path: [...path, 'name'],
      value: term.name,
      why: 'the newest image of these names is taken as soon as it exists, before its vendor recommends it, and after it is withdrawn',
      instead: 'use an alias for EKS images; for your own, add minimumAgeDuration: 1d beside the name',
    };
  if (term.ssmParameter !== undefined && /\/(recommended|latest)\//.test(`${term.ssmParameter}/`))
    return {
      object,
      path: [...path, 'ssmParameter'],
      value: term.ssmParameter,
      why: 'the image that this parameter names is taken as soon as the parameter changes',
      instead: 'use the parameter of one release, or add minimumAgeDuration: 10d beside it',
    };
  return undefined;
}

/** Whether every pool of the class is governed by some policy of the manifests. */
function isGoverned({ metadata }: EC2NodeClass, { nodePools, policies }: ManifestSet): boolean {
  const users = nodePools.filter(({ spec }) => spec.template.spec.nodeClassRef.name === metadata.name);
  return users.length > 0 && users.every((pool) => policies.some((policy) => governs(policy, pool)));
}

const governs = ({ spec }: NodeRolloutPolicy, pool: NodePool): boolean =>
  spec.selector === undefined ||
  (spec.selector.nodePools !== undefined && labelSelectorPredicate(spec.selector.nodePools)(selectableLabels(pool)));
