import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { claimsOfNodeClass, imageReport, type ImageReport, nodesByImage } from '@nodewright/dashboard';
import { type ImageReadingSources, readNodeClassImages } from '@nodewright/operator';

/** The images of a NodeClass, and what else its nodes run. */
export async function nodeClassReport(
  nodeClass: EC2NodeClass,
  sources: ImageReadingSources,
  claims: readonly NodeClaim[],
): Promise<ImageReport> {
  const nodes = nodesByImage(claimsOfNodeClass(nodeClass, claims));
  const inUse = [...nodes.keys()];
  const reading = await readNodeClassImages(nodeClass, { ...sources, inUse }, new AbortController().signal);
  return imageReport(reading, { name: nodeClass.metadata.name, nodes, now: sources.now });
}
