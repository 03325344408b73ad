"""A real PostgreSQL server and a real Spark, which ``make test-engines`` sees to."""

from __future__ import annotations

import os
import warnings

import ibis
import pyarrow as pa
import pytest

ADDRESS = "DPWILCOXON_POSTGRES"
PARTITIONS = 8


def pytest_configure(config):
    """PySpark leaves the sockets to be closed that answers come through."""
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")


@pytest.fixture(scope="session")
def address():
    """The address of a PostgreSQL database, password included."""
    if ADDRESS not in os.environ:
        pytest.fail("there is no PostgreSQL server; run `make test-engines`")
    return os.environ[ADDRESS]


@pytest.fixture(scope="session")
def postgres(address):
    """A connection of Ibis to the server."""
    backend = ibis.connect(address)
    yield backend
    backend.disconnect()


@pytest.fixture(scope="session")
def spark_session():
    """Spark on two cores of this machine."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.adaptive.coalescePartitions.enabled": "true",
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("dpwilcoxon")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def spark(spark_session):
    """A connection of Ibis to Spark."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # loading the backend warns about pandas
        return ibis.pyspark.connect(spark_session)


@pytest.fixture(scope="session")
def duckdb():
    """A connection of Ibis to a DuckDB in this process."""
    return ibis.duckdb.connect()


@pytest.fixture(scope="session")
def tables(request):
    """Put an arrow table into an engine, and give it back as a table of Ibis."""

    def put(engine, name, rows):
        backend = request.getfixturevalue(engine)
        FILL[engine](backend, name, rows)
        return backend.table(name)

    return put


def fill_spark(backend, name, rows):
    """Make a view of the rows, which Spark may split over its tasks."""
    backend._session.createDataFrame(rows).createOrReplaceTempView(name)


def fill_duckdb(backend, name, rows):
    """Make a table in memory."""
    backend.con.register("arrow_rows", rows)
    backend.con.execute(f'CREATE OR REPLACE TABLE "{name}" AS SELECT * FROM arrow_rows')
    backend.con.unregister("arrow_rows")


def fill_postgres(backend, name, rows):
    """Make a table with the types that come closest."""
    from psycopg import sql

    table, names = sql.Identifier(name), [sql.Identifier(each) for each in rows.column_names]
    types = [sql.SQL(postgres_type(field.type)) for field in rows.schema]
    columns = sql.SQL(", ").join(sql.Composed(each) for each in zip(names, types, strict=True))
    with backend.con.transaction(), backend.con.cursor() as cursor:
        cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
        cursor.execute(sql.SQL("CREATE TABLE {} ({})").format(table, columns))
        with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(table)) as copy:
            for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
                copy.write_row(row)


def postgres_type(kind):
    """What PostgreSQL calls a type of arrow."""
    if pa.types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {kind.scale})"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMPTZ" if kind.tz else "TIMESTAMP"
    names = {"float": "REAL", "double": "FLOAT8", "date32[day]": "DATE"}
    names |= {"string": 'TEXT COLLATE "en-x-icu"'}  # in which B comes after a
    names |= {"int16": "INT2", "int32": "INT4", "int64": "INT8", "bool": "BOOLEAN"}
    return names[str(kind)]


FILL = {"duckdb": fill_duckdb, "postgres": fill_postgres, "spark": fill_spark}
