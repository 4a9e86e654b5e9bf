"""A bare app that shows the sample pages: no engine, no database, but the house's headers.

`python -m tests.look.table` serves them on 127.0.0.1:8010; `/` lists them.
"""

from flask import Flask, Response, abort, render_template

from scorekeeper import paths
from scorekeeper.web.shared.assets import init_assets
from scorekeeper.web.shared.templates import init_templates
from scorekeeper.web.shared.theme import init_theme
from tests.look.samples import SAMPLES

POLICY = "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"


def look_app() -> Flask:
    """Make the app."""
    app = Flask("look", static_folder=str(paths.STATIC), template_folder=str(paths.TEMPLATES))
    app.jinja_env.globals["csrf_token"] = lambda: "csrf"
    app.jinja_env.globals["may_install"] = lambda: False
    app.jinja_env.globals["url_for"] = lambda endpoint, **values: f"/{endpoint}"
    init_assets(app)
    init_theme(app)
    init_templates(app)

    @app.get("/")
    def index() -> str:
        return "".join(f'<p><a href="/{name}">{name}</a></p>' for name in SAMPLES)

    @app.get("/<name>")
    def show(name: str) -> str:
        if name not in SAMPLES:
            abort(404)
        sample = SAMPLES[name]
        return render_template(sample.template, page=sample.page)

    @app.after_request
    def guard(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        return response

    return app


if __name__ == "__main__":
    from waitress import serve

    serve(look_app(), host="127.0.0.1", port=8010, threads=4)
