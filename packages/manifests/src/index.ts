/**
 * Everything that is deployed to a cluster, as objects made from the values of an installation: definitions, accounts,
 * rights, the Deployment and what belongs to it. Pure functions: nothing here reads files or talks to a cluster.
 */
export type { SettingCatalogue } from './values/setting-values.ts';
export type { InstallValues } from './values/install-values.ts';
export { readInstallValues } from './values/read-values.ts';
export { listEnvironment } from './objects/environment.ts';
export { listInstallManifests } from './install-manifests.ts';
