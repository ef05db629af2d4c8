// Tells Svelte's compiler and svelte-check that every component uses runes.
export default { compilerOptions: { runes: true } };
