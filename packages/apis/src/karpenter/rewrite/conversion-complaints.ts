import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { FieldComplaint } from './shape-complaints.ts';
import type { AWSNodeTemplate } from '../v1alpha/aws-node-template.ts';
import type { Provisioner } from '../v1alpha/provisioner.ts';
import { selectsImages } from '../v1alpha/selector-map.ts';
import type { EC2NodeClassV1Beta1 } from '../v1beta1/carried-over.ts';
import { isUbuntu } from '../v1beta1/ubuntu.ts';

/**
 * What a well-formed manifest lacks that its conversion needs: who makes the nodes of a Provisioner, and for
 * which Kubernetes version the images of Ubuntu are.
 */
export function conversionComplaints(
  object: KubernetesObject,
  { kubernetesVersion }: { readonly kubernetesVersion?: string },
): readonly FieldComplaint[] {
  if (object.kind === 'Provisioner') return providerComplaints(object);
  const family = familyAlone(object);
  if (kubernetesVersion !== undefined || family === undefined || !isUbuntu(family)) return [];
  const remedy =
    'has no alias in v1; its images are found per Kubernetes version: say yours, --kubernetes-version 1.29';
  return [{ field: 'spec.amiFamily', value: family, remedy }];
}

/** The family of an older node class if that is all that names images. */
function familyAlone(object: KubernetesObject): string | undefined {
  if (object.kind === 'AWSNodeTemplate') {
    const { amiFamily, amiSelector = {} } = (object as AWSNodeTemplate).spec ?? {};
    return selectsImages(amiSelector) ? undefined : amiFamily;
  }
  if (object.apiVersion !== 'karpenter.k8s.aws/v1beta1' || object.kind !== 'EC2NodeClass') return undefined;
  const { amiFamily, amiSelectorTerms = [] } = (object as EC2NodeClassV1Beta1).spec;
  return amiSelectorTerms.length === 0 ? amiFamily : undefined;
}

function providerComplaints({ spec = {} }: Provisioner): readonly FieldComplaint[] {
  if (spec.provider !== undefined) {
    const remedy = 'has to be an object of its own: write it as an AWSNodeTemplate and name that in spec.providerRef';
    return [{ field: 'spec.provider', remedy }];
  }
  return spec.providerRef === undefined
    ? [{ field: 'spec.providerRef', remedy: 'is missing: name the AWSNodeTemplate that makes the nodes' }]
    : [];
}
