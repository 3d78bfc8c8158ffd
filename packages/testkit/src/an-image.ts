import { fromTimestamp } from '@nodewright/apis';
import type { EC2NodeClass } from '@nodewright/apis';
import type { FoundImage } from '@nodewright/engine';

type ImageTraits = Partial<Omit<FoundImage, 'createdAt' | 'deprecatedAt' | 'publishedAt'>> & {
  readonly created?: string;
  readonly deprecated?: string;
  readonly published?: string;
};

/** An amd64 image found by the first term, made on 1 January 2024 unless told otherwise; times are dates such as `2024-01-29`. */
export function anImage(id: string, traits: ImageTraits = {}): FoundImage {
  const { created = '2024-01-01', deprecated, published, ...others } = traits;
  return {
    id,
    name: `image-${id}`,
    arch: 'amd64',
    term: 0,
    createdAt: fromTimestamp(created),
    ...(deprecated === undefined ? {} : { deprecatedAt: fromTimestamp(deprecated) }),
    ...(published === undefined ? {} : { publishedAt: fromTimestamp(published) }),
    ...others,
  };
}

/** An EC2NodeClass `default` that follows AL2 unless told otherwise. */
export const aNodeClass = (
  spec: Partial<EC2NodeClass['spec']> = {},
  status?: EC2NodeClass['status'],
): EC2NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    subnetSelectorTerms: [{ tags: { team: 'a' } }],
    securityGroupSelectorTerms: [{ tags: { team: 'a' } }],
    role: 'node-role',
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});
