import { withAnnotations } from '../annotations.ts';
import { awsAnnotations } from '../labels.ts';
import type { AmiSelectorTerm, EC2NodeClass } from '../types.ts';
import {
  amiSelectorTerms,
  keysBesideIds,
  minimumAgeKey,
  selectorTerms,
  selectsImages,
} from '../v1alpha/selector-map.ts';
import type { AWSNodeTemplate } from '../v1alpha/aws-node-template.ts';
import type { EC2NodeClassV1Beta1 } from '../v1beta1/carried-over.ts';
import { ec2NodeClassToV1 } from '../v1beta1/convert-ec2-node-class.ts';
import { fillHopLimit } from '../v1beta1/hop-limit.ts';
import { isUbuntu } from '../v1beta1/ubuntu.ts';
import type { Rewritten } from './rewritten.ts';
import { ubuntuImageTerms } from './ubuntu-images.ts';

type Options = { readonly kubernetesVersion?: string };

/** An AWSNodeTemplate goes through v1beta1, whose families and defaults it shares. */
export function rewrittenNodeTemplate(template: AWSNodeTemplate, options: Options): Rewritten<EC2NodeClass> {
  const { spec: written = {}, metadata } = template;
  const {
    amiFamily = 'AL2',
    amiSelector = {},
    launchTemplate,
    subnetSelector,
    securityGroupSelector,
    ...rest
  } = written;
  const terms = selectsImages(amiSelector) ? amiSelectorTerms(amiSelector) : [];
  const spec = {
    ...rest,
    amiFamily,
    amiSelectorTerms: terms,
    ...(subnetSelector === undefined ? {} : { subnetSelectorTerms: selectorTerms(subnetSelector) }),
    ...(securityGroupSelector === undefined
      ? {}
      : { securityGroupSelectorTerms: selectorTerms(securityGroupSelector) }),
  };
  const nodeClass = {
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata,
    spec,
  } as unknown as EC2NodeClassV1Beta1;
  const { object, remarks } = rewrittenNodeClass(nodeClass, { ...options, minimumAge: amiSelector[minimumAgeKey] });
  const lost =
    launchTemplate === undefined
      ? []
      : [
          `spec.launchTemplate "${launchTemplate}" is dropped: v1 makes its own launch templates, from userData, blockDeviceMappings and the rest of the spec`,
        ];
  return { object, remarks: [...lost, ...ignoredBesideIds(amiSelector), ...remarks] };
}

function ignoredBesideIds(amiSelector: Readonly<Record<string, string>>): readonly string[] {
  const ignored = keysBesideIds(amiSelector);
  return ignored.length === 0
    ? []
    : [
        `spec.amiSelector names images by id: ${ignored.join(', ')} beside it ${ignored.length === 1 ? 'is' : 'are'} not respected`,
      ];
}

/** @param options.minimumAge age that a family's own releases must have; terms carry theirs */
export function rewrittenNodeClass(
  nodeClass: EC2NodeClassV1Beta1,
  { kubernetesVersion, minimumAge }: Options & { readonly minimumAge?: string | undefined },
): Rewritten<EC2NodeClass> {
  const { amiFamily, amiSelectorTerms: terms = [] } = nodeClass.spec;
  const { spec, ...rest } = ec2NodeClassToV1(nodeClass);
  const byFamily = terms.length === 0;
  const images =
    byFamily && isUbuntu(amiFamily) && kubernetesVersion !== undefined
      ? ubuntuImageTerms(amiFamily, kubernetesVersion)
      : spec.amiSelectorTerms;
  const aged = byFamily && minimumAge !== undefined ? images.map(withAge(minimumAge)) : images;
  const object: EC2NodeClass = { ...rest, spec: { ...spec, ...fillHopLimit(spec), amiSelectorTerms: aged } };
  return { object: withAnnotations(object, nodeClassTraces), remarks: remarksOn({ amiFamily, images: aged }) };
}

const withAge = (minimumAgeDuration: string) => (term: AmiSelectorTerm) => ({ ...term, minimumAgeDuration });

const nodeClassTraces = { [awsAnnotations.v1beta1Ubuntu]: undefined } as const;

function remarksOn({
  amiFamily,
  images,
}: {
  readonly amiFamily: string;
  readonly images: readonly AmiSelectorTerm[];
}): readonly string[] {
  const isIgnored = images.some(
    ({ alias, minimumAgeDuration }) =>
      minimumAgeDuration !== undefined && alias !== undefined && !alias.endsWith('@latest'),
  );
  return [
    ...(isUbuntu(amiFamily)
      ? ['spec.amiFamily Ubuntu is AL2 in v1, which starts nodes the same way; the images are still Ubuntu']
      : []),
    ...(isIgnored ? ['minimumAgeDuration beside a pinned release is ignored: a pin is an explicit choice'] : []),
  ];
}
