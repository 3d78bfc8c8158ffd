import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { annotationOf, withAnnotations } from '../annotations.ts';
import { awsAnnotations, nodewrightAnnotations } from '../labels.ts';
import type { AmiFamily, AmiSelectorTerm, EC2NodeClass } from '../types.ts';
import { amiFamilies, aliasFamilyRules } from '../v1/ec2-node-class.ts';
import { type EC2NodeClassV1Beta1, carryOverSpec } from './carried-over.ts';
import { isUbuntu, ubuntuToV1, ubuntuToV1Beta1 } from './ubuntu.ts';

/** Without terms the family becomes an alias, pinned if the family or an annotation says so. */
export function ec2NodeClassToV1(nodeClass: EC2NodeClassV1Beta1): EC2NodeClass {
  if (isUbuntu(nodeClass.spec.amiFamily)) return ubuntuToV1(nodeClass);
  const { amiFamily, amiSelectorTerms = [], ...spec } = nodeClass.spec;
  const [family = '', release] = splitAtFirst(amiFamily, '-');
  const images =
    amiSelectorTerms.length > 0
      ? { amiFamily: knownFamily(family), amiSelectorTerms }
      : { amiSelectorTerms: [aliasTerm(nodeClass, family, release)] };
  return withAnnotations(
    { ...nodeClass, apiVersion: 'karpenter.k8s.aws/v1', spec: { ...spec, ...images } },
    { [awsAnnotations.v1AliasVersion]: undefined },
  );
}

function aliasTerm(nodeClass: KubernetesObject, family: string, release: string | undefined): AmiSelectorTerm {
  const version = release ?? annotationOf(nodeClass, awsAnnotations.v1AliasVersion) ?? 'latest';
  return { alias: `${family.toLowerCase()}@${version}` };
}

/**
 * An alias becomes its family; a pinned version goes into an annotation. What v1beta1 has no word for
 * (kubelet, reservations, placement, network interfaces and so on) is lost.
 */
export function ec2NodeClassToV1Beta1(nodeClass: EC2NodeClass): EC2NodeClassV1Beta1 {
  if (annotationOf(nodeClass, awsAnnotations.v1beta1Ubuntu) !== undefined) return ubuntuToV1Beta1(nodeClass);
  const { amiSelectorTerms, amiFamily, ...spec } = nodeClass.spec;
  const aliasTerm = amiSelectorTerms.find((term) => term.alias !== undefined);
  const [alias = '', version = 'latest'] = aliasTerm?.alias?.split('@') ?? [];
  const images = aliasTerm === undefined ? { amiSelectorTerms: amiSelectorTerms.map(withoutNewMembers) } : {};
  return withAnnotations(
    {
      ...nodeClass,
      apiVersion: 'karpenter.k8s.aws/v1beta1',
      spec: { ...carryOverSpec(spec), ...images, amiFamily: amiFamily ?? familyOfAliasText(alias) },
    },
    {
      ...(version === 'latest' ? {} : { [awsAnnotations.v1AliasVersion]: version }),
      ...(aliasTerm?.minimumAgeDuration === undefined
        ? {}
        : { [nodewrightAnnotations.minimumAgeDuration]: aliasTerm.minimumAgeDuration }),
    },
  );
}

const withoutNewMembers = ({
  minimumAgeDuration: _age,
  ssmParameter: _parameter,
  alias: _alias,
  ...term
}: AmiSelectorTerm) => term;

const familyOfAliasText = (alias: string): string =>
  Object.entries(aliasFamilyRules).find(([name]) => name === alias)?.[1] ?? 'Custom';

const knownFamily = (family: string): AmiFamily => amiFamilies.find((known) => known === family) ?? 'Custom';

function splitAtFirst(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
