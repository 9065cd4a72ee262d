/* What the linter asks of the page's JavaScript. The packages are found by NODE_PATH (tests/test_page_code.py). */
const js = require("@eslint/js");

module.exports = [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // the type checker knows the names of a browser
      "eqeqeq": "error",
      "max-lines": ["error", 400], // a longer file has a second subject in it
      "no-eval": "error", // the content policy forbids it
      "no-implied-eval": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unused-expressions": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
