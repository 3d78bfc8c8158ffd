import type { Node } from '@nodewright/apis';

/** What a kubelet tells of its configuration: the parts of it that a simulated one keeps to. */
export const readKubeletOptions = ({ spec, status }: Node): object => ({
  kubeletconfig: {
    enableServer: true,
    address: '0.0.0.0',
    port: 10_250,
    healthzPort: 10_248,
    clusterDomain: 'cluster.local',
    cgroupDriver: 'systemd',
    nodeStatusUpdateFrequency: '10s',
    nodeLeaseDurationSeconds: 40,
    maxPods: Number(status?.capacity?.['pods'] ?? 0),
    providerID: spec?.providerID ?? '',
  },
});
