import { printYaml } from '@nodewright/apis';
import { listInstallManifests } from '../install-manifests.ts';
import { readInstallValues } from '../values/read-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import type { ChartFiles } from './chart-files.ts';

/** The name of the cluster in the base; a replacement of the overlay puts the real one there. */
const clusterInBase = 'CLUSTER_NAME';

/** A kustomize base with the defaults, and an overlay to copy. Definitions are those of the chart. */
export function buildKustomizeFiles(catalogue: SettingCatalogue, version: string): ChartFiles {
  const { values } = readInstallValues(
    { image: `nodewright:${version}`, definitions: false, settings: { clusterName: clusterInBase } },
    catalogue,
  );
  return new Map([
    ['base/kustomization.yaml', baseText],
    ['base/nodewright.yaml', printYaml(listInstallManifests(values, catalogue))],
    ['example/kustomization.yaml', exampleText(version)],
  ]);
}

const baseText = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- ../../charts/nodewright/crds
- nodewright.yaml
`;

const exampleText = (version: string): string => `# To copy: the image, the cluster and the region of yours.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- ../base
images:
- name: nodewright
  newName: registry.example.com/nodewright
  newTag: ${version}
patches:
- target:
    kind: Deployment
    name: karpenter
  patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: karpenter
    spec:
      template:
        spec:
          containers:
          - name: controller
            env:
            - name: CLUSTER_NAME
              value: prod
            - name: AWS_REGION
              value: us-east-1
`;
