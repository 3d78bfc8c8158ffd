import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { type ImageReadingSources, readImages } from '@nodewright/operator';
import { claimsOf, imageReport, type ImageReport, nodesByImage } from './image-report.ts';

/** The images of a NodeClass, and what else its nodes run. */
export async function nodeClassReport(
  nodeClass: EC2NodeClass,
  sources: ImageReadingSources,
  claims: readonly NodeClaim[],
): Promise<ImageReport> {
  const nodes = nodesByImage(claimsOf(nodeClass, claims));
  const reading = await readImages(nodeClass, { ...sources, inUse: [...nodes.keys()] }, new AbortController().signal);
  return imageReport(nodeClass, reading, { nodes, now: sources.now });
}
