// What can be done with each kind of value on its way out, as the gate offers it; where it cannot invent or
// generalise a value, it masks.
import type { Action, EntityType, Settings } from "$/ipc/bindings";

export const KINDS: readonly EntityType[] = [
  "PERSON", "PHONE", "EMAIL", "ADDRESS", "NATIONAL_ID", "PASSPORT", "DRIVER_LICENSE", "LICENSE_PLATE", "BANK_CARD",
  "BANK_ACCOUNT", "TAX_ID", "MEDICAL_ID", "SECRET", "ACCOUNT", "DATE_OF_BIRTH", "IP", "MAC", "CRYPTO",
  "EMPLOYEE_OR_STUDENT_ID", "VEHICLE_ID", "ORG", "ORG_ID", "LOCATION", "DATE_TIME", "AGE", "TITLE", "NRP", "URL", "POSTCODE",
];

const GENERAL: ReadonlySet<EntityType> = new Set(["ADDRESS", "DATE_OF_BIRTH", "DATE_TIME", "AGE", "IP", "EMAIL"]);
const INVENTED: ReadonlySet<EntityType> = new Set([
  "PERSON", "PHONE", "EMAIL", "URL", "IP", "MAC", "BANK_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "ADDRESS", "LOCATION", "ORG",
  "ACCOUNT", "EMPLOYEE_OR_STUDENT_ID",
]);

export function actionsFor(kind: EntityType): Action[] {
  const offered: Action[] = ["keep", "mask"];
  if (GENERAL.has(kind)) offered.push("generalise");
  if (INVENTED.has(kind)) offered.push("fake");
  return [...offered, "refuse"];
}

/** The actions with another one for a kind; null leaves it to the level. */
export function withAction(actions: Settings["actions"], kind: EntityType, action: Action | null): Settings["actions"] {
  const rest = Object.fromEntries(Object.entries(actions).filter(([name]) => name !== kind));
  return action === null ? rest : { ...rest, [kind]: action };
}
