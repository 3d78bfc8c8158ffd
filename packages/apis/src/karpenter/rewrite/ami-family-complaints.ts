import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { text } from '../../schema/build.ts';
import { type FieldComplaint, shapeComplaints } from './shape-complaints.ts';
import { fieldPatterns } from '../v1/patterns.ts';
import type { AWSNodeTemplateSpec } from '../v1alpha/aws-node-template.ts';
import { minimumAgeKey, namesOnlyOwners, selectsImages } from '../v1alpha/selector-map.ts';
import { amiFamilySchema, type EC2NodeClassSpecV1Beta1 } from '../v1beta1/ec2-node-class.ts';

/** What an older node class says about images that cannot be meant: a release beside a selector, Custom without one. */
export function amiFamilyComplaints(object: KubernetesObject): readonly FieldComplaint[] {
  const { spec } = object as { readonly spec?: unknown };
  if (typeof spec !== 'object' || spec === null) return [];
  if (object.kind === 'AWSNodeTemplate') return templateComplaints(spec);
  if (object.apiVersion !== 'karpenter.k8s.aws/v1beta1' || object.kind !== 'EC2NodeClass') return [];
  const { amiFamily, amiSelectorTerms } = spec as Partial<EC2NodeClassSpecV1Beta1>;
  const hasTerms = Array.isArray(amiSelectorTerms) && amiSelectorTerms.length > 0;
  return familyComplaints(amiFamily, hasTerms ? 'spec.amiSelectorTerms' : undefined);
}

const amiFamilyAgeSchema = text({ pattern: fieldPatterns.age });

function templateComplaints(spec: Partial<AWSNodeTemplateSpec>): readonly FieldComplaint[] {
  const { amiFamily = 'AL2', amiSelector = {} } = spec;
  const minimumAge: unknown = amiSelector[minimumAgeKey];
  const field = 'spec.amiSelector';
  return [
    ...shapeComplaints(amiFamilySchema, amiFamily, 'spec.amiFamily'),
    ...(typeof minimumAge === 'string'
      ? shapeComplaints(amiFamilyAgeSchema, minimumAge, `${field}.${minimumAgeKey}`)
      : []),
    ...(namesOnlyOwners(amiSelector)
      ? [{ field, value: amiSelector, remedy: 'names owners only: add aws::name or tags' }]
      : []),
    ...familyComplaints(amiFamily, selectsImages(amiSelector) ? field : undefined),
  ];
}

function familyComplaints(amiFamily: unknown, selector: string | undefined): readonly FieldComplaint[] {
  const field = 'spec.amiFamily';
  if (amiFamily === 'Custom' && selector === undefined) {
    return [{ field, value: amiFamily, remedy: 'has no images of its own: select some by id, name or tags' }];
  }
  const isPinned = typeof amiFamily === 'string' && amiFamily.includes('-');
  if (!isPinned || selector === undefined) return [];
  const [bare = ''] = amiFamily.split('-');
  return [
    {
      field,
      value: amiFamily,
      remedy: `pins a release, and ${selector} selects other images: write ${bare}, or leave the selector out`,
    },
  ];
}
