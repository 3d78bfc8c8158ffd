import { annotationOf, withAnnotations } from '../annotations.ts';
import { awsAnnotations } from '../labels.ts';
import type { BlockDeviceMapping, EC2NodeClass } from '../types.ts';
import { type EC2NodeClassV1Beta1, carryOverSpec } from './carried-over.ts';

/** The volume that Ubuntu nodes had by default. */
const ubuntuVolume: BlockDeviceMapping = {
  deviceName: '/dev/sda1',
  rootVolume: true,
  ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' },
};

/** Stands where no image could be named: v1 has no alias for Ubuntu. It matches nothing. */
const placeholderImage = { id: 'ami-placeholder' } as const;

/** `Ubuntu`, or one of its releases: `Ubuntu-v20221208`. */
export const isUbuntu = (amiFamily: string): boolean => /^Ubuntu(-|$)/.test(amiFamily);

const releaseMark = 'release=';

/** The release that the family named, by what the annotation lists. */
export const ubuntuRelease = (madeUp: readonly string[]): string | undefined =>
  madeUp.find((mark) => mark.startsWith(releaseMark))?.slice(releaseMark.length);

/**
 * v1 has no family Ubuntu: its nodes start as AL2 does. An annotation lists what was made up, so that it
 * can be taken back.
 */
export function ubuntuToV1(nodeClass: EC2NodeClassV1Beta1): EC2NodeClass {
  const { amiFamily, amiSelectorTerms = [], blockDeviceMappings, ...spec } = nodeClass.spec;
  const [, release] = amiFamily.split('-');
  const madeUp = [
    'amiFamily',
    ...(blockDeviceMappings === undefined ? ['blockDeviceMappings'] : []),
    ...(amiSelectorTerms.length === 0 ? ['incompatible'] : []),
    ...(release === undefined ? [] : [`${releaseMark}${release}`]),
  ];
  return withAnnotations(
    {
      ...nodeClass,
      apiVersion: 'karpenter.k8s.aws/v1',
      spec: {
        ...spec,
        amiFamily: 'AL2',
        amiSelectorTerms: amiSelectorTerms.length === 0 ? [placeholderImage] : amiSelectorTerms,
        blockDeviceMappings: blockDeviceMappings ?? [ubuntuVolume],
      },
    },
    { [awsAnnotations.v1beta1Ubuntu]: madeUp.join(',') },
  );
}

export function ubuntuToV1Beta1(nodeClass: EC2NodeClass): EC2NodeClassV1Beta1 {
  const madeUp = new Set(annotationOf(nodeClass, awsAnnotations.v1beta1Ubuntu)?.split(','));
  const release = ubuntuRelease([...madeUp]);
  const { amiSelectorTerms, blockDeviceMappings, amiFamily: _, ...spec } = nodeClass.spec;
  return withAnnotations(
    {
      ...nodeClass,
      apiVersion: 'karpenter.k8s.aws/v1beta1',
      spec: {
        ...carryOverSpec(spec),
        amiFamily: release === undefined ? 'Ubuntu' : `Ubuntu-${release}`,
        ...(madeUp.has('incompatible') ? {} : { amiSelectorTerms }),
        ...(madeUp.has('blockDeviceMappings') || blockDeviceMappings === undefined ? {} : { blockDeviceMappings }),
      },
    },
    { [awsAnnotations.v1beta1Ubuntu]: undefined },
  );
}
