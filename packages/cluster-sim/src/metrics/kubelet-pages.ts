import { containerMetrics, kubeletMetrics, resourceMetrics } from './kubelet-metrics.ts';
import { readKubeletOptions } from './kubelet-configuration.ts';
import { summarizeUse } from './kubelet-summary.ts';
import type { ObservedNode } from './measured-node.ts';

export type KubeletPage = { readonly contentType: string; readonly text: string };

/**
 * What a kubelet answers on its port: health, its configuration, its pods, and what they use.
 * @param path without the slash at the beginning
 * @returns `undefined` for a path that it does not have
 */
export function readKubeletPage(observed: ObservedNode, path: string): KubeletPage | undefined {
  switch (path) {
    case 'healthz':
      return { contentType: 'text/plain; charset=utf-8', text: 'ok' };
    case 'pods':
      return jsonPage({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: observed.pods });
    case 'configz':
      return jsonPage(readKubeletOptions(observed.node));
    case 'stats/summary':
      return jsonPage(summarizeUse(observed));
    case 'metrics':
      return metricsPage(kubeletMetrics(observed));
    case 'metrics/resource':
      return metricsPage(resourceMetrics(observed));
    case 'metrics/cadvisor':
      return metricsPage(containerMetrics(observed));
    default:
      return undefined;
  }
}

const jsonPage = (document: object): KubeletPage => ({
  contentType: 'application/json',
  text: JSON.stringify(document),
});

const metricsPage = (text: string): KubeletPage => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', text });
