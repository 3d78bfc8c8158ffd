import type { EC2NodeClass } from '../types.ts';

/** v1beta1 lets answers of the metadata service travel 2 hops by default, v1 one. */
export const fillHopLimit = ({
  metadataOptions,
}: EC2NodeClass['spec']): Pick<EC2NodeClass['spec'], 'metadataOptions'> => ({
  metadataOptions: { httpPutResponseHopLimit: 2, ...metadataOptions },
});
