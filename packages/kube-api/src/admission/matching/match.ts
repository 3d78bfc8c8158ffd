import { type LabelSelector, labelSelectorPredicate } from '@nodewright/apis';
import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import { type AdmissionRule, matchesRule } from './rules.ts';

/** What a webhook, a policy or a binding applies to. */
export type MatchCriteria = {
  readonly rules: readonly AdmissionRule[];
  readonly excluded?: readonly AdmissionRule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
};

/**
 * The version of the resource in which the criteria are about a write.
 * @returns undefined when they are not about it
 */
export function matchedResource(
  criteria: MatchCriteria,
  attributes: AdmissionAttributes,
  view: AdmissionView,
): Resource | undefined {
  const { rules, excluded = [], namespaceSelector, objectSelector } = criteria;
  const { resource } = attributes;
  if (!isWithinNamespace(namespaceSelector, attributes, view) || !isSelected(objectSelector, attributes))
    return undefined;
  if (excluded.some((rule) => matchesRule(rule, attributes, resource))) return undefined;
  if (rules.some((rule) => matchesRule(rule, attributes, resource))) return resource;
  if (criteria.matchPolicy === 'Exact') return undefined;
  const others = view.registry
    .resources()
    .filter((other) => other !== resource && other.collection === resource.collection);
  return others.find((other) => rules.some((rule) => matchesRule(rule, attributes, other)));
}

const selectsAll = (selector: LabelSelector | undefined): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length === 0;

function isWithinNamespace(
  selector: LabelSelector | undefined,
  { resource, object, old, namespace }: AdmissionAttributes,
  { store }: AdmissionView,
): boolean {
  if (selector === undefined || selectsAll(selector)) return true;
  const isOfNamespace = resource.collection === 'namespaces';
  if (!resource.namespaced && !isOfNamespace) return true;
  const found = isOfNamespace
    ? (object ?? old)
    : store.collection('namespaces').get({ namespace: '', name: namespace });
  return labelSelectorPredicate(selector)(found?.metadata.labels);
}

/** Either state of the object is enough. */
function isSelected(selector: LabelSelector | undefined, { object, old }: AdmissionAttributes): boolean {
  if (selector === undefined || selectsAll(selector)) return true;
  const selects = labelSelectorPredicate(selector);
  return [object, old].some((each) => each !== undefined && selects(each.metadata.labels));
}

/** An object in another version of its resource. */
export const convertObject = (object: ApiObject, from: Resource, to: Resource): ApiObject =>
  from === to || object.kind !== from.kind ? object : to.fromStored(from.toStored(object));

/** Objects that configure admission are not subject to it, so that a mistake can be undone. */
export const isExempt = ({ resource }: AdmissionAttributes): boolean =>
  resource.group === 'admissionregistration.k8s.io';
