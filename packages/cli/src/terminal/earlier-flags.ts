/** A flag by its present name, where earlier versions had another: `--k8s` is `--kubernetes-version`. */
export const currentFlagName = (argument: string): string => argument.replace(/^--k8s(?==|$)/, '--kubernetes-version');
