import type { SettingName } from '../../controller/setting-table.ts';

/** Texts as they were typed; they are read together with the environment. */
export type ControllerFlags = {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly clock?: string;
} & { readonly [Name in SettingName]?: string };
